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

interface Waiting<Item> {
  item: Item;
  done: () => void;
  failed: (error: unknown) => void;
}

const largestGroup = 512;

/**
 * Gathers items for a moment and writes them together, one group at a time, so that one write serves them all.
 * No item is done before its group is written.
 */
export class Gather<Item> {
  #waiting: Waiting<Item>[] = [];
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;
  readonly #write: (items: Item[]) => void | Promise<void>;
  readonly #later: Later;

  constructor(write: (items: Item[]) => void | Promise<void>, later: Later) {
    this.#write = write;
    this.#later = later;
  }

  add(item: Item): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      if (this.#waiting.length >= largestGroup) this.flush();
      else this.#cancel ??= this.#later(() => this.flush());
    });
  }

  /** Writes now instead of in a moment; at once where nothing is being written. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#writing !== null || this.#waiting.length === 0) return;
    const group = this.#waiting;
    this.#waiting = [];
    try {
      const writing = this.#write(group.map(({ item }) => item));
      if (writing === undefined) settle(group);
      else this.#writing = this.#finish(group, writing);
    } catch (error) {
      fail(group, error);
    }
  }

  /** Settles when everything added so far is written, or has failed. */
  async drained(): Promise<void> {
    this.flush();
    while (this.#writing !== null) await this.#writing;
  }

  async #finish(group: Waiting<Item>[], writing: Promise<void>): Promise<void> {
    try {
      await writing;
      settle(group);
    } catch (error) {
      fail(group, error);
    } finally {
      this.#writing = null;
      this.flush(); // whoever came meanwhile has waited long enough
    }
  }
}

function settle(group: readonly Waiting<unknown>[]): void {
  for (const { done } of group) done();
}

function fail(group: readonly Waiting<unknown>[], error: unknown): void {
  for (const { failed } of group) failed(error);
}

/** A write that fails once fails for ever: after a failed sync the next may succeed without having written anything. */
export function failingForGood<Item>(
  write: (items: Item[]) => Promise<void>,
): (items: Item[]) => Promise<void> {
  let failure: { error: unknown } | null = null;
  return async (items) => {
    if (failure !== null) throw failure.error;
    try {
      await write(items);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
}
