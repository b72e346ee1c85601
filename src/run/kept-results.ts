import { parseCell } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import type { LogLine } from "./eval-log.ts";
import type { Part } from "./part.ts";

/** The verdicts an earlier part of a run left in the store. A cell without one is run again and tells its own result. */
export function* keptResults(
  store: Store,
  runId: string,
  { skillIds, suiteId }: Pick<Part, "skillIds" | "suiteId">,
): Iterable<CellResult> {
  for (const skillId of skillIds) {
    for (const text of store.results(runId, skillId, suiteId)) {
      const result = parseCell(text);
      if (result.status !== "invalid") yield result;
    }
  }
}

/** What the line log should hold before the first cell: what was skipped, and the verdicts of an earlier part of the run. */
export function* keptLines(
  run: { id: string; isResumed: boolean },
  parts: readonly Part[],
  store: Store,
): Iterable<LogLine> {
  for (const part of parts) {
    yield* part.extraLines ?? [];
    if (!run.isResumed) continue;
    for (const result of keptResults(store, run.id, part)) yield part.lineOf(result);
  }
}
