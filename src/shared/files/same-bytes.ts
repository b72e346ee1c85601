import { closeSync, openSync, readSync } from "node:fs";

const chunkSize = 1 << 16;

/** Whether two files hold the same, read side by side so that neither has to fit in memory. */
export function haveSameBytes(a: string, b: string): boolean {
  using first = openChunks(a);
  using second = openChunks(b);
  for (;;) {
    const [left, right] = [first.next(), second.next()];
    if (!left.equals(right)) return false;
    if (left.length === 0) return true;
  }
}

function openChunks(path: string): Disposable & { next(): Buffer } {
  const file = openSync(path, "r");
  const chunk = Buffer.alloc(chunkSize);
  return {
    next() {
      let filled = 0;
      // A read may give less than there is.
      for (let count = -1; count !== 0 && filled < chunkSize; filled += count)
        count = readSync(file, chunk, filled, chunkSize - filled, null);
      return chunk.subarray(0, filled);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
