import { WaitingLine } from "../../shared/async/waiting-line.ts";

/** Lets a few in at a time, has some wait, and turns the rest away: whoever floods us fills a line that has an end. */
export class Turnstile {
  readonly #line = new WaitingLine();
  readonly #inside: number;
  readonly #waiting: number;
  #entered = 0;
  #queued = 0;

  constructor(limits: { inside: number; waiting: number }) {
    this.#inside = limits.inside;
    this.#waiting = limits.waiting;
  }

  /** A place, given back by disposing of it; null where even the line is full. */
  async enter(signal: AbortSignal): Promise<Disposable | null> {
    if (this.#entered >= this.#inside) {
      if (this.#queued >= this.#waiting) return null;
      this.#queued++;
      try {
        await this.#line.wait(signal);
      } finally {
        this.#queued--;
      }
    } else this.#entered++;
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** Whoever waits takes the place over. */
  #leave(): void {
    if (this.#line.isEmpty) this.#entered--;
    else this.#line.admit();
  }
}
