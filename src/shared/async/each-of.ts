/** What stands on pages, one after another. Where speed counts, go over the pages themselves: this waits for every row. */
export async function* eachOf<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page;
}

/** Everything that stands on pages, for what is known to be small. */
export async function allOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return rows;
}
