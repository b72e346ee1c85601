import { type Cell, subjectName } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Store } from "../contract/store.ts";
import { forEachLimited } from "../shared/async/each-of.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";
import { rescoredResult } from "./cell-result.ts";
import type { Emit } from "./emit.ts";
import { eventName, unlessStopped } from "./run-cell.ts";
import type { InputWatch } from "./run-inputs.ts";
import { storedResults } from "./stored-results.ts";

/** Scores the stored answers of another run. Nothing is executed, so a cell without a result there has none here. */
export async function rescoreCells(
  source: string,
  suites: readonly SuiteRun[],
  {
    store,
    emit,
    watch,
    signal,
    concurrency,
  }: { store: Store; emit: Emit; watch: InputWatch; signal: AbortSignal; concurrency: number },
): Promise<number> {
  let missing = 0;
  for (const suite of suites) {
    const planned = await plannedCells(suite, ({ subject, case: one, trial }) =>
      cellName(subjectName(subject), one.id, trial),
    );
    for await (const page of storedResults(store, source, suite))
      await forEachLimited(page, concurrency, async (stored) => {
        signal.throwIfAborted();
        const name = cellName(subjectName(stored), stored.caseId, stored.trial);
        const cell = planned.get(name);
        if (cell === undefined) return;
        planned.delete(name);
        const rescoring = rescoredResult(stored, cell, { suite, signal, isSameCase: false });
        const result = await unlessStopped(rescoring, signal);
        const inputs = suite.inputsOf?.(cell) ?? [];
        emit.ended(eventName(cell), watch.confirm(result, inputs, suite.detailsOf?.(cell) ?? {}));
      });
    missing += planned.size;
  }
  return missing;
}

/** How many cells of a merged run no shard has. */
export async function countMissing(
  suites: readonly SuiteRun[],
  runId: string,
  store: Store,
): Promise<number> {
  let missing = 0;
  for (const suite of suites) {
    const planned = await plannedCells(suite, ({ key }) => key);
    for await (const page of storedResults(store, runId, suite))
      for (const { key } of page) planned.delete(key);
    missing += planned.size;
  }
  return missing;
}

/** The cells of a suite by name. Yields to the event loop, since a plan may have a hundred thousand cells. */
export async function plannedCells(
  suite: SuiteRun,
  getName: (cell: Cell) => string,
): Promise<Map<string, Cell>> {
  const turns = new EventLoopTurns();
  const planned = new Map<string, Cell>();
  for (const cell of suite.cells) {
    if (turns.isDue()) await turns.take();
    planned.set(getName(cell), cell);
  }
  return planned;
}

function cellName(subject: string, caseId: string, trial: number): string {
  return JSON.stringify([subject, caseId, trial]);
}
