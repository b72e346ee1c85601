import type { Cell } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import type { Listener } from "../contract/event.ts";
import type { LogLine, SuiteRun } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import type { Pages, Store } from "../contract/store.ts";
import type { Budget } from "../models/budget.ts";
import { neverAborted } from "../shared/async/abort.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import { forEachLimited } from "../shared/async/each-of.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";
import type { Disk } from "../shared/files/disk.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { rescoredResult } from "./cell-result.ts";
import { watchContainment } from "./containment-stamp.ts";
import { createEmitter, type Emit, redactedResult } from "./emit.ts";
import { openEvalLog } from "./eval-log.ts";
import { Interrupted, linkAbort, type StopSignal } from "./interrupted.ts";
import type { StartedRun } from "./prepared-run.ts";
import { countMissing, plannedCells, rescoreCells } from "./rescore-cells.ts";
import { type CellContext, runCell } from "./run-cell.ts";
import { type InputWatch, watchInputs } from "./run-inputs.ts";
import { type Spending, watchSpending } from "./spending.ts";
import { earlierAttempts, storedResults } from "./stored-results.ts";

/** What a run is made of. */
export interface RunWork {
  suites: readonly SuiteRun[];
  /** Counts a result. Unlike a listener it must not fail: a report without a cell would be silently wrong. */
  add(suite: SuiteRun, result: CellResult): void;
  concurrency: number;
  /** The line log; null for none. */
  evalLog: string | null;
  containment: Containment;
  /** What the run may cost. */
  budget?: Budget | null;
  warnings: readonly string[];
  redact: <Value>(value: Value) => Value;
  /** Whether no other cell shall begin. */
  isEnough?: (() => boolean) | undefined;
  /** Runs concurrently with the cells, where any are left to run. */
  background?: ((signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Releases what cells hold when they are stopped midway. */
  abandon: () => PromiseLike<void>;
}

export interface CellsContext {
  store: Store;
  clock: Clock;
  random: () => number;
  /** Aborted with an `Interrupted` when the user wants to stop. */
  signal: AbortSignal;
  listeners: readonly Listener[];
  /** Replaces the real file system for the line log. */
  disk?: Disk | undefined;
}

/** How the cells of a run ended. The caller writes the report and then ends the run. */
export type CellsEnd =
  /** `missing`: planned cells without a result, which only a rescore or a merged run can have. */
  | { state: "done"; emit: Emit; warnings: string[]; missing: number; isCutShort: boolean }
  | { state: "interrupted"; signal: StopSignal };

/** Executes every cell of a run that has no verdict yet. Every ended cell is on disk and counted. */
export async function runCells(run: StartedRun, work: RunWork, context: CellsContext): Promise<CellsEnd> {
  const { suites, containment } = work;
  const { store, clock, disk } = context;
  const stop = linkAbort(context.signal);
  const containments = watchContainment(containment);
  const spending = watchSpending(work.budget ?? null);
  const cells = suites.reduce((sum, suite) => sum + suite.cells.size, 0);
  const byName = new Map(suites.map((suite) => [suiteKey(suite.level.name, suite.id), suite]));
  const findSuite = ({ level, suite }: { level: string; suite: string }) => {
    const found = byName.get(suiteKey(level, suite));
    if (found === undefined) throw new Error(`no suite ${suite} of level ${level} is part of this run`);
    return found;
  };
  await using log = openEvalLog(
    work.evalLog,
    {
      runId: run.id,
      lineOf: (result) => findSuite(result).lineOf(result),
      isNew: run.reused !== undefined || run.merged !== undefined,
    },
    disk,
  );
  const finished = new Set<string>();
  const counting = { watch: containments.watch, spending, finished };
  for await (const lines of countStored(run, work, counting, store)) await log.complete(lines);
  const alreadyDone = finished.size;
  const watch = watchInputs(clock);
  const emit = createEmitter({
    runId: run.id,
    hurry: watch.flush,
    store,
    log,
    fold(event) {
      if (event.type !== "cell-ended") return;
      const suite = findSuite(event.cell);
      work.add(suite, event.result);
      suite.ended?.(event.result);
    },
    listeners: context.listeners,
    redact: work.redact,
    stop: stop.abort,
  });
  const warnings = [...work.warnings, ...containments.warnings()];

  emit({ type: "run-started", runId: run.id, cells, alreadyDone, reused: run.reused, containment });
  for (const message of [...warnings, ...log.warnings()]) emit({ type: "warning", message });
  // A run that was done and has no cells left only writes its reports again.
  const isNeeded = run.merged === undefined && (!run.wasDone || alreadyDone < cells);
  const background = isNeeded ? work.background?.(stop.signal) : undefined;
  background?.catch(() => {}); // awaited after the cells
  const interruption = await executeCells(run, work, {
    ...{ ...context, signal: stop.signal },
    ...{ emit, watch, spending, finished, background },
  });
  if (typeof interruption === "number") {
    const missing = interruption;
    const isCutShort = missing > 0 && run.merged === undefined && run.rescores === undefined;
    const message = missingWords(missing, run);
    if (missing > 0) emit({ type: "warning", message });
    const found = missing > 0 ? [...warnings, message] : warnings;
    return { state: "done", emit, warnings: found, missing, isCutShort };
  }
  await store.finishRun(run.id, "interrupted", [], isoTime(clock.now()));
  emit({ type: "run-ended", state: "interrupted" });
  return { state: "interrupted", signal: interruption.signal };
}

function missingWords(missing: number, { id, rescores, merged }: StartedRun): string {
  const cells = pluralize(missing, "cell");
  if (merged !== undefined) return `no shard has a result for ${cells}`;
  return rescores === undefined
    ? `${cells} did not run: --bail stopped the run, --resume ${id} continues it`
    : `${cells} cannot be rescored: run ${rescores} has no result for ${missing === 1 ? "it" : "them"}`;
}

function suiteKey(level: string, id: string): string {
  return `${level}\n${id}`;
}

/** What the results of earlier sessions are counted by. */
interface Counting extends Pick<ReturnType<typeof watchContainment>, "watch"> {
  spending: Spending;
  /** Keys of cells that need not run again; added to. */
  finished: Set<string>;
}

/**
 * Counts the results of earlier sessions of the run, each read once, and yields what the line log must say of them and of
 * skipped cases. Results of outdated rules are scored again.
 */
async function* countStored(
  run: StartedRun,
  { suites, add, redact }: RunWork,
  { watch, spending, finished }: Counting,
  store: Store,
): Pages<LogLine> {
  for (const suite of suites) {
    yield suite.extraLines ?? [];
    if (!run.isResumed) continue;
    let planned: ReadonlyMap<string, Cell> | null = null;
    for await (const results of storedResults(store, run.id, suite)) {
      const lines: LogLine[] = [];
      for (const stored of results) {
        const isOutdated = suite.isOutdated?.(stored) === true;
        if (isOutdated) planned ??= await plannedCells(suite, ({ key }) => key);
        const cell = isOutdated ? planned?.get(stored.key) : undefined;
        const result = cell === undefined ? stored : await rescoreOutdated(stored, cell, suite, redact);
        if (result !== stored) await store.cellRescored(run.id, result);
        spending.addStored(suite, result);
        // It runs again, unless nothing does.
        if (result.status === "invalid" && run.merged === undefined) continue;
        watch(result);
        add(suite, result);
        finished.add(result.key);
        const line = result.status === "invalid" ? null : suite.lineOf(result);
        if (line !== null) lines.push(line);
      }
      yield lines;
    }
  }
}

/** Scores a stored result by the current rules. Where that is impossible, such as when its evidence is gone, the old verdict stays. */
async function rescoreOutdated(
  stored: CellResult,
  cell: Cell,
  suite: SuiteRun,
  redact: RunWork["redact"],
): Promise<CellResult> {
  const result = await rescoredResult(stored, cell, { suite, signal: neverAborted, isSameCase: true });
  return result.status === "invalid" ? stored : redactedResult(result, redact);
}

/** Runs the remaining cells. An interruption is not a failure: ended cells are stored, running ones are killed, the rest stays for a resume. */
async function executeCells(
  run: StartedRun,
  { suites, concurrency, redact, abandon, isEnough }: RunWork,
  context: CellsContext & {
    emit: Emit;
    watch: InputWatch;
    spending: Spending;
    finished: ReadonlySet<string>;
    background: Promise<unknown> | undefined;
  },
): Promise<Interrupted | number> {
  const { clock } = context;
  const epochMs = clock.now() - clock.monotonic();
  const shared = {
    ...context,
    redact,
    steadyNow: () => epochMs + clock.monotonic(),
    earlierAttempts: run.isResumed ? earlierAttempts(context.store, run.id) : null,
  };
  const contexts = new Map(suites.map((suite) => [suite, { ...shared, suite }]));
  try {
    const cells = run.isResumed ? cellsWithoutVerdict(suites, context.finished) : allCells(suites);
    let missing = 0;
    if (run.merged !== undefined) missing = await countMissing(suites, run.id, context.store);
    else if (run.rescores === undefined)
      await forEachLimited(cells, concurrency, async ({ cell, suite }) => {
        // Counted only when it is stored, so that what ended before this is known.
        if (isEnough !== undefined) await context.emit.settled();
        if (isEnough?.() === true) missing++;
        else await runCell(cell, contexts.get(suite) as CellContext);
      });
    else missing = await rescoreCells(run.rescores, suites, { ...context, concurrency });
    await context.emit.settled();
    await context.background;
    return missing;
  } catch (error) {
    await abandon();
    if (!(error instanceof Interrupted)) throw error;
    await context.emit.settled();
    return error;
  }
}

interface PlannedCell {
  cell: Cell;
  suite: SuiteRun;
}

function* allCells(suites: readonly SuiteRun[]): Iterable<PlannedCell> {
  for (const suite of suites) for (const cell of suite.cells) yield { cell, suite };
}

/** Yields to the event loop: computing the keys of a hundred thousand cells takes a second. */
async function* cellsWithoutVerdict(
  suites: readonly SuiteRun[],
  finished: ReadonlySet<string>,
): AsyncIterable<PlannedCell> {
  const turns = new EventLoopTurns();
  for (const planned of allCells(suites)) {
    if (turns.isDue()) await turns.take();
    if (!finished.has(planned.cell.key)) yield planned;
  }
}
