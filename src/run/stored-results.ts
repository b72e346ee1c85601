import { EventLoopTurns } from "../base/event-loop-turns.ts";
import { parseCell } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import type { Pages, Store } from "../contract/store.ts";
import type { LogLine } from "./eval-log.ts";
import type { Part } from "./part.ts";

/** The verdicts an earlier session of a run left in the store. A cell without one runs again and reports its own result. */
export async function* storedVerdicts(
  store: Store,
  runId: string,
  { skillIds, suiteId }: Pick<Part, "skillIds" | "suiteId">,
): Pages<CellResult> {
  const turns = new EventLoopTurns();
  for (const skillId of skillIds) {
    if (turns.isDue()) await turns.take();
    for await (const texts of store.results(runId, { skillId, suiteId })) {
      let page: CellResult[] = [];
      for (const text of texts) {
        const result = parseCell(text);
        if (result.status !== "invalid") page.push(result);
        if (!turns.isDue()) continue;
        yield page;
        page = [];
        await turns.take();
      }
      yield page;
    }
  }
}

/** What the line log should hold before the first cell: what was skipped, and the verdicts of earlier sessions of the run. */
export async function* storedLines(
  run: { id: string; isResumed: boolean },
  parts: readonly Part[],
  store: Store,
): Pages<LogLine> {
  for (const part of parts) {
    yield part.extraLines ?? [];
    if (!run.isResumed) continue;
    for await (const page of storedVerdicts(store, run.id, part)) yield page.map(part.lineOf);
  }
}

/** Keys of the cells of a run that have a verdict. */
export async function finishedKeys(store: Store, runId: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const page of store.verdictKeys(runId)) for (const key of page) keys.add(key);
  return keys;
}
