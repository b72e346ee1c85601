import { WaitingLine } from "../shared/async/waiting-line.ts";

/** Money set aside for one call. */
export interface Reservation {
  usd: number;
  /** Says what the call really cost, and gives the rest back. */
  settle(usd: number): void;
}

/** What a call may cost: at most this, or, where its reply has no longest length, at least this. */
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
  readonly #line = new WaitingLine();

  constructor(maxUsd: number) {
    this.maxUsd = maxUsd;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  get leftUsd(): number {
    return Math.max(0, this.maxUsd - this.#spentUsd);
  }

  /**
   * Sets money aside for a call, or says that there is not enough. Where only calls under way hold it, they are waited
   * for: most cost less than they might. A call without an end to its cost has all that is left, alone.
   */
  async reserve({ usd, isOpenEnded }: Need, signal: AbortSignal): Promise<Reservation | null> {
    for (;;) {
      signal.throwIfAborted();
      if (!this.#hasRoomFor(this.#spentUsd + usd)) return null;
      if (isOpenEnded ? this.#underWay === 0 : this.#hasRoomFor(this.#spentUsd + this.#reservedUsd + usd))
        return this.#setAside(isOpenEnded ? Math.max(usd, this.leftUsd) : usd);
      await this.#line.wait(signal);
    }
  }

  #hasRoomFor(usd: number): boolean {
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
    // Sums of fractions leave crumbs behind, which nothing under way holds any more.
    this.#reservedUsd = this.#underWay === 0 ? 0 : this.#reservedUsd - reservedUsd;
    while (!this.#line.isEmpty) this.#line.admit();
  }
}

/** Three times 0.1 must fit into 0.3. */
const roundingUsd = 1e-9;
