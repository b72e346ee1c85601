import { onAbort } from "../base/on-abort.ts";
import type { Model } from "../contract/model.ts";

/** Places for calls that are under way; who finds none waits in line. */
export class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Does this work in a place of its own. An interruption ends the waiting with the signal's reason. */
  async with<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
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
}

/** A model that is asked only in these places, which it may share with others. */
export function limited(model: Model, places: Places): Model {
  return {
    id: model.id,
    identity: model.identity,
    call: (request, call) => places.with(call.signal, () => model.call(request, call)),
  };
}
