import { WaitingLine } from "./waiting-line.ts";

/** Places for calls that are under way; who finds none waits in line. */
export class Places {
  #free: number;
  readonly #line = new WaitingLine();

  constructor(count: number) {
    this.#free = count;
  }

  /** Does this work in a place of its own. An interruption ends the waiting with the signal's reason. */
  async with<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#line.wait(signal);
    try {
      return await work();
    } finally {
      if (this.#line.isEmpty) this.#free++;
      else this.#line.admit();
    }
  }
}
