import { WaitingLine } from "../shared/async/waiting-line.ts";

/** Money set aside for one call. */
export interface Reservation {
  usd: number;
  /** Records the actual cost of the call, and releases the rest. */
  settle(usd: number): void;
}

/** What a call may cost: at most this, or, if the length of its reply is unlimited, at least this. */
export interface Need {
  usd: number;
  isOpenEnded: boolean;
}

/** What may be spent on models. Every call sets money aside before it begins, so that calls at the same time cannot overspend together. */
export class Budget {
  readonly maxUsd: number;
  #spentUsd = 0;
  #reservedUsd = 0;
  #underWay = 0;
  #isReached = false;
  #unknownCalls = 0;
  readonly #line = new WaitingLine();

  constructor(maxUsd: number) {
    this.maxUsd = maxUsd;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** Whether nothing more may begin: all is spent, or a call was refused because it might cost more than is left. */
  get isReached(): boolean {
    return this.#isReached || this.#spentUsd >= this.maxUsd - roundingUsd;
  }

  /** Calls whose cost is not known. */
  get unknownCalls(): number {
    return this.#unknownCalls;
  }

  /** Adds what something cost that set no money aside; null where it did cost, and nobody says what. */
  spend(usd: number | null): void {
    if (usd === null) this.#unknownCalls++;
    else this.#spentUsd += usd;
  }

  get leftUsd(): number {
    return Math.max(0, this.maxUsd - this.#spentUsd);
  }

  /**
   * Reserves money for a call, or returns null if there is not enough. If other calls have reserved it, waits for them:
   * most cost less than they reserve. A call of unlimited cost reserves all that is left, and runs alone.
   */
  async reserve({ usd, isOpenEnded }: Need, signal: AbortSignal): Promise<Reservation | null> {
    for (;;) {
      signal.throwIfAborted();
      if (!this.#canAfford(this.#spentUsd + usd)) {
        this.#isReached = true;
        return null;
      }
      if (isOpenEnded ? this.#underWay === 0 : this.#canAfford(this.#spentUsd + this.#reservedUsd + usd))
        return this.#setAside(isOpenEnded ? Math.max(usd, this.leftUsd) : usd);
      await this.#line.wait(signal);
    }
  }

  #canAfford(usd: number): boolean {
    return usd <= this.maxUsd + roundingUsd;
  }

  #setAside(usd: number): Reservation {
    this.#reservedUsd += usd;
    this.#underWay++;
    return { usd, settle: (costUsd) => this.#settle(usd, costUsd) };
  }

  #settle(reservedUsd: number, costUsd: number): void {
    this.#spentUsd += costUsd;
    this.#underWay--;
    // Floating-point sums leave a remainder that no reservation accounts for.
    this.#reservedUsd = this.#underWay === 0 ? 0 : this.#reservedUsd - reservedUsd;
    while (!this.#line.isEmpty) this.#line.admit();
  }
}

/** Three times 0.1 must fit into 0.3. */
const roundingUsd = 1e-9;
