/** Work that waits to be written, and who waits for it. */
interface Pending {
  write: () => void;
  done: () => void;
  failed: (error: unknown) => void;
}

const longestWaitMs = 10;
const largestGroup = 256;

/**
 * Gathers writes for a moment and commits them together: one wait for the disk serves them all.
 * Nobody is told "done" before the commit is on the disk.
 */
export class GroupCommit {
  #pending: Pending[] = [];
  #timer: NodeJS.Timeout | null = null;
  readonly #transaction: (work: () => void) => void;

  /** `transaction` does the work inside one transaction and returns when it is on the disk. */
  constructor(transaction: (work: () => void) => void) {
    this.#transaction = transaction;
  }

  add(write: () => void): Promise<void> {
    return new Promise((done, failed) => {
      this.#pending.push({ write, done, failed });
      if (this.#pending.length >= largestGroup) this.flush();
      else this.#timer ??= setTimeout(() => this.flush(), longestWaitMs);
    });
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
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
