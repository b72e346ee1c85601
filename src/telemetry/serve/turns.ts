/** Does heavy work piece by piece: between two pieces whatever else came in is answered. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Value>(work: () => Value): Promise<Value> {
    const turn = this.#last.then(() => new Promise<void>((next) => setImmediate(next))).then(work);
    // One that fails is its own asker's matter.
    this.#last = turn.catch(() => {});
    return turn;
  }
}
