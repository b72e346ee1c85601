/** Work that waits to be written, and who waits for it. */
interface Pending {
  write: () => void;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Calls back in a while; returns a way to call it off. */
export type Later = (flush: () => void) => () => void;

export const afterThisTurn: Later = (flush) => {
  const immediate = setImmediate(flush);
  return () => clearImmediate(immediate);
};

export const afterMs =
  (waitMs: number): Later =>
  (flush) => {
    const timer = setTimeout(flush, waitMs);
    return () => clearTimeout(timer);
  };

const largestGroup = 512;

/** Gathers writes for a moment and commits them together, so that one commit serves them all. Nobody is told "done" before it. */
export class GroupCommit {
  #pending: Pending[] = [];
  #cancel: (() => void) | null = null;
  readonly #transaction: (work: () => void) => void;
  readonly #later: Later;

  /** `transaction` does the work inside one transaction and returns when it is committed; `later` says when to flush. */
  constructor(transaction: (work: () => void) => void, later: Later) {
    this.#transaction = transaction;
    this.#later = later;
  }

  add(write: () => void): Promise<void> {
    return new Promise((done, failed) => {
      this.#pending.push({ write, done, failed });
      if (this.#pending.length >= largestGroup) this.flush();
      else this.#cancel ??= this.#later(() => this.flush());
    });
  }

  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const group = this.#pending;
    if (group.length === 0) return;
    this.#pending = [];
    try {
      this.#transaction(() => {
        for (const { write } of group) write();
      });
    } catch (error) {
      for (const { failed } of group) failed(error);
      return;
    }
    for (const { done } of group) done();
  }
}
