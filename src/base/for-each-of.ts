/**
 * Does `work` for every item, at most `limit` at a time, taking the next item only when there is room for it.
 * The first failure stops the taking, waits for what is under way, and is thrown.
 */
export async function forEachOf<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.iterator]();
  let failure: { error: unknown } | null = null;
  async function lane(): Promise<void> {
    while (failure === null) {
      try {
        const next = source.next();
        if (next.done) return;
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, lane));
  const failed = failure as { error: unknown } | null;
  if (failed !== null) throw failed.error;
}
