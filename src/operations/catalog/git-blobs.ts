/** The contents of objects as `git cat-file --batch` prints them, in the order they were asked for; null for one that is missing. */
export async function* gitBlobs(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let held: Buffer[] = [];
  let length = 0;
  const source = pieces[Symbol.asyncIterator]();

  async function more(): Promise<boolean> {
    const next = await source.next();
    if (next.done) return false;
    held.push(next.value);
    length += next.value.length;
    return true;
  }
  function whole(): Buffer {
    if (held.length > 1) held = [Buffer.concat(held, length)];
    return held[0] ?? Buffer.alloc(0);
  }
  function drop(bytes: number): void {
    const rest = whole().subarray(bytes);
    held = [rest];
    length = rest.length;
  }

  try {
    for (;;) {
      let end = whole().indexOf(10);
      while (end === -1) {
        if (!(await more())) return;
        end = whole().indexOf(10);
      }
      const head = whole().toString("latin1", 0, end);
      drop(end + 1);
      const size = / blob (\d+)$/.exec(head)?.[1];
      if (size === undefined) {
        yield null;
        continue;
      }
      const bytes = Number(size);
      while (length < bytes + 1) if (!(await more())) return;
      yield Buffer.from(whole().subarray(0, bytes));
      drop(bytes + 1);
    }
  } finally {
    await source.return?.();
  }
}
