/** The rows of pages, one at a time. Where speed counts, iterate over the pages: this awaits every row. */
export async function* flattenPages<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page;
}

/** All rows of pages, for results that are known to be small. */
export async function collectPages<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return rows;
}

/**
 * Does `work` for every item, at most `limit` at a time, taking the next item only when there is room for it.
 * The first failure stops the taking, waits for what is under way, and is thrown. An asynchronous source is read by several
 * lanes at once and must answer in order, as generators do.
 */
export async function forEachLimited<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failure: { error: unknown } | null = null;
  async function lane(): Promise<void> {
    while (failure === null) {
      try {
        const taken = source.next();
        // Nothing is waited for where the item is there: of a hundred thousand cells each would pay for it.
        const next = "then" in taken ? await taken : taken;
        if (next.done || failure !== null) return;
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, lane));
  const failed = failure as { error: unknown } | null;
  if (failed === null) return;
  await source.return?.();
  throw failed.error;
}
