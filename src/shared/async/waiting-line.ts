import { onAbort } from "./abort.ts";

/** Those who wait for their turn, first come first served. An interruption takes one out with the signal's reason. */
export class WaitingLine {
  readonly #waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const callOff = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      });
      const enter = () => {
        callOff();
        resolve();
      };
      this.#waiting.push(enter);
    });
  }

  /** Lets the first one go. */
  admit(): void {
    this.#waiting.shift()?.();
  }
}

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
