import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pages } from "../contract/store.ts";
import type { Row } from "../shared/files/sqlite-driver.ts";
import { guarded } from "./store-error.ts";

/** Few enough that a page takes a few milliseconds, many enough that waiting for the next one costs nothing. */
const rowsPerPage = 500;

/** Results can be large; a page of them stays small. */
const charsPerPage = 1 << 20;

export interface Paging<Value> {
  /** The store; errors name it. */
  path: string;
  /** The rows that follow those already taken. Called once for each page, so that no statement is open while somebody waits. */
  rows(): Iterable<Row>;
  /** What a row becomes; null leaves it out. */
  take(row: Row): Value | null;
}

/** Reads rows page by page, with a turn of the event loop between two pages. */
export async function* paged<Value>({ path, rows, take }: Paging<Value>): Pages<Value> {
  for (;;) {
    const page: Value[] = [];
    const isLast = guarded(path, () => fill(page, rows(), take));
    if (page.length > 0) yield page;
    if (isLast) return;
    await nextTurn();
  }
}

/** Whether there were no more rows than fit. */
function fill<Value>(page: Value[], rows: Iterable<Row>, take: Paging<Value>["take"]): boolean {
  let count = 0;
  let chars = 0;
  for (const row of rows) {
    const value = take(row);
    if (value !== null) page.push(value);
    if (typeof row.data === "string") chars += row.data.length;
    if (++count >= rowsPerPage || chars >= charsPerPage) return false;
  }
  return true;
}
