import type { Cell } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import { type Attempt, type CellResult, parseCell } from "../contract/result.ts";
import type { Pages, Store } from "../contract/store.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";

/** The results an earlier session of a run left in the store for one suite, invalid ones included. */
export async function* storedResults(
  store: Pick<Store, "results">,
  runId: string,
  { level, id }: Pick<SuiteRun, "level" | "id">,
): Pages<CellResult> {
  const turns = new EventLoopTurns();
  for await (const texts of store.results(runId, { level: level.name, suite: id })) {
    let page: CellResult[] = [];
    for (const text of texts) {
      page.push(parseCell(text));
      if (!turns.isDue()) continue;
      yield page;
      page = [];
      await turns.take();
    }
    yield page;
  }
}

/** What happened to a cell before this part of the run. An attempt that began and never ended is listed, not hidden. */
export function earlierAttempts(
  store: Pick<Store, "result" | "startedAttempts">,
  runId: string,
): (cell: Cell) => Promise<Attempt[]> {
  return async ({ key }) => {
    const started = await store.startedAttempts(runId, key);
    if (started.length === 0) return [];
    const stored = await store.result(runId, key);
    const ended = stored === null ? [] : parseCell(stored).attempts;
    return started.map((n) => ended.find((attempt) => attempt.n === n) ?? interrupted(n));
  };
}

function interrupted(n: number): Attempt {
  return { n, status: "interrupted", code: null, latencyMs: 0, message: "the run was interrupted" };
}
