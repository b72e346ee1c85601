import type { Row } from "../base/sqlite-driver.ts";
import { guarded } from "./store-error.ts";

/**
 * Rows one at a time. Each reader starts a statement of its own: one that is shared loses its place when the next
 * reader begins.
 */
export function* readRows(path: string, start: () => IterableIterator<Row>): Generator<Row> {
  const rows = guarded(path, start);
  try {
    for (;;) {
      const next = guarded(path, () => rows.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    rows.return?.(); // a reader that stops early must not hold the file back
  }
}
