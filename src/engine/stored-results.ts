import type { Cell } from "../contract/cell.ts";
import type { LogLine, SuiteRun } from "../contract/level.ts";
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

/** The results with a verdict. Cells without one run again. */
async function* storedVerdicts(
  store: Pick<Store, "results">,
  runId: string,
  suite: Pick<SuiteRun, "level" | "id">,
): Pages<CellResult> {
  for await (const page of storedResults(store, runId, suite))
    yield page.filter(({ status }) => status !== "invalid");
}

/** The lines that must be in the log before the first cell: skipped cases, and the verdicts of earlier sessions of the run. */
export async function* storedLines(
  run: { id: string; isResumed: boolean },
  suites: readonly SuiteRun[],
  store: Pick<Store, "results">,
): Pages<LogLine> {
  for (const suite of suites) {
    yield suite.extraLines ?? [];
    if (!run.isResumed) continue;
    for await (const page of storedVerdicts(store, run.id, suite))
      yield page.flatMap((result) => suite.lineOf(result) ?? []);
  }
}

/** Keys of the cells of a run that have a verdict. */
export async function finishedKeys(
  store: Pick<Store, "verdictKeys">,
  runId: string,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const page of store.verdictKeys(runId)) for (const key of page) keys.add(key);
  return keys;
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
