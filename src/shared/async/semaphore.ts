import { WaitingLine } from "./waiting-line.ts";

/** Limits how many calls run at once; the others wait in line. */
export class Semaphore {
  #free: number;
  readonly #line = new WaitingLine();

  constructor(count: number) {
    this.#free = count;
  }

  /** Does this work when a slot is free. An interruption ends the waiting with the signal's reason. */
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
