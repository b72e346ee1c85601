import { type Cell, subjectName } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import type { Listener } from "../contract/event.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import { neverAborted } from "../shared/async/abort.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import { forEachOf } from "../shared/async/each-of.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";
import type { Disk } from "../shared/files/disk.ts";
import { countOf } from "../shared/text/phrases.ts";
import { rescoredResult } from "./cell-result.ts";
import { otherContainment } from "./containment-stamp.ts";
import { createEmitter, type Emit, redactedResult } from "./emit.ts";
import { openEvalLog } from "./eval-log.ts";
import { Interrupted, stopOn } from "./interrupted.ts";
import type { StartedRun } from "./prepared-run.ts";
import { type CellWorld, eventName, runCell, unlessStopped } from "./run-cell.ts";
import { earlierAttempts, finishedKeys, storedLines, storedResults } from "./stored-results.ts";

/** What a run is made of. */
export interface RunWork {
  suites: readonly SuiteRun[];
  /** Counts a result. Unlike a listener it may not fail: a report without a cell would be wrong in silence. */
  add(suite: SuiteRun, result: CellResult): void;
  concurrency: number;
  /** The line log; null for none. */
  evalLog: string | null;
  containment: Containment;
  warnings: readonly string[];
  redact: <Value>(value: Value) => Value;
  /** What is done beside the cells, where any are left to run. */
  beside?: ((signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Lets go of what cells hold, where they are stopped in their midst. */
  abandon: () => PromiseLike<void>;
}

export interface CellsWorld {
  store: Store;
  clock: Clock;
  random: () => number;
  /** Aborted with an `Interrupted` when the user wants to stop. */
  signal: AbortSignal;
  listeners: readonly Listener[];
  /** How the line log is written, where it is not the usual way. */
  disk?: Disk | undefined;
}

/** How the cells of a run ended; whoever asked for them reports, and then ends the run. */
export type CellsEnd =
  /** `missing`: cells that were planned and have no result, which only a run that executes nothing can have. */
  | { state: "done"; emit: Emit; warnings: string[]; missing: number }
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Executes every cell of a run that has no verdict yet. What ended is on the disk, and counted. */
export async function runCells(run: StartedRun, work: RunWork, world: CellsWorld): Promise<CellsEnd> {
  const { suites, containment } = work;
  const { store, clock, disk } = world;
  const stop = stopOn(world.signal);
  const others = otherContainment(containment);
  const alreadyDone = await countStored(run, work, others.watch, store);
  const cells = suites.reduce((sum, suite) => sum + suite.cells.size, 0);
  const byName = new Map(suites.map((suite) => [suiteKey(suite.level.name, suite.id), suite]));
  const suiteOf = ({ level, suite }: { level: string; suite: string }) => {
    const found = byName.get(suiteKey(level, suite));
    if (found === undefined) throw new Error(`no suite ${suite} of level ${level} is part of this run`);
    return found;
  };
  await using log = openEvalLog(
    work.evalLog,
    { runId: run.id, lineOf: (result) => suiteOf(result).lineOf(result) },
    disk,
  );
  await log.complete(storedLines(run, suites, store));
  const emit = createEmitter({
    runId: run.id,
    store,
    log,
    fold(event) {
      if (event.type !== "cell-ended") return;
      const suite = suiteOf(event.cell);
      work.add(suite, event.result);
      suite.ended?.(event.result);
    },
    listeners: world.listeners,
    redact: work.redact,
    stop: stop.because,
  });
  const warnings = [...work.warnings, ...others.warnings()];

  emit({ type: "run-started", runId: run.id, cells, alreadyDone, containment });
  for (const message of [...warnings, ...log.warnings]) emit({ type: "warning", message });
  // A run that was done and has nothing left to run only writes its reports anew.
  const isNeeded = !run.wasDone || alreadyDone < cells;
  const beside = isNeeded ? work.beside?.(stop.signal) : undefined;
  beside?.catch(() => {}); // heard at the end; until then the cells come first
  const interruption = await executeCells(run, work, { ...world, signal: stop.signal, emit, beside });
  if (typeof interruption === "number") {
    const missing = interruption;
    const those = missing === 1 ? "it" : "them";
    const message = `${countOf(missing, "cell")} cannot be rescored: run ${run.rescores} has no result for ${those}`;
    if (missing > 0) emit({ type: "warning", message });
    return { state: "done", emit, warnings: missing > 0 ? [...warnings, message] : warnings, missing };
  }
  await store.finishRun(run.id, "interrupted", [], isoTime(clock.now()));
  emit({ type: "run-ended", state: "interrupted" });
  return { state: "interrupted", signal: interruption.signal };
}

function suiteKey(level: string, id: string): string {
  return `${level}\n${id}`;
}

/** Counts what earlier sessions of the run left behind, and says how many cells that were. Rules that changed since decide anew. */
async function countStored(
  run: StartedRun,
  { suites, add, redact }: RunWork,
  watch: ReturnType<typeof otherContainment>["watch"],
  store: Store,
): Promise<number> {
  let count = 0;
  for (const suite of run.isResumed ? suites : []) {
    let planned: ReadonlyMap<string, Cell> | null = null;
    for await (const results of storedResults(store, run.id, suite))
      for (const stored of results) {
        const isOutdated = suite.isOutdated?.(stored) === true;
        if (isOutdated) planned ??= await plannedCells(suite, ({ key }) => key);
        const cell = isOutdated ? planned?.get(stored.key) : undefined;
        const result = cell === undefined ? stored : await decidedAnew(stored, cell, suite, redact);
        if (result !== stored) await store.cellRescored(run.id, result);
        if (result.status === "invalid") continue;
        watch(result);
        add(suite, result);
        count++;
      }
  }
  return count;
}

/** What rules of now say about a stored result. Where they cannot say it, such as when its evidence is gone, the old verdict stays. */
async function decidedAnew(
  stored: CellResult,
  cell: Cell,
  suite: SuiteRun,
  redact: RunWork["redact"],
): Promise<CellResult> {
  const result = await rescoredResult(stored, cell, { suite, signal: neverAborted, isSameCase: true });
  return result.status === "invalid" ? stored : redactedResult(result, redact);
}

/** Runs what is left of the plan. An interruption is no failure: what ended is stored, what runs is killed, the rest waits. */
async function executeCells(
  run: StartedRun,
  { suites, concurrency, redact, abandon }: RunWork,
  world: CellsWorld & { emit: Emit; beside: Promise<unknown> | undefined },
): Promise<Interrupted | number> {
  const { clock } = world;
  const epochMs = clock.now() - clock.monotonic();
  const shared = {
    ...world,
    redact,
    steadyNow: () => epochMs + clock.monotonic(),
    earlierAttempts: run.isResumed ? earlierAttempts(world.store, run.id) : null,
  };
  const worlds = new Map(suites.map((suite) => [suite, { ...shared, suite }]));
  try {
    const cells = run.isResumed
      ? cellsWithoutVerdict(suites, await finishedKeys(world.store, run.id))
      : cellsOf(suites);
    let missing = 0;
    if (run.rescores === undefined)
      await forEachOf(cells, concurrency, ({ cell, suite }) => runCell(cell, worlds.get(suite) as CellWorld));
    else missing = await rescoreCells(run.rescores, suites, { ...world, concurrency });
    await world.emit.settled();
    await world.beside;
    return missing;
  } catch (error) {
    await abandon();
    if (!(error instanceof Interrupted)) throw error;
    await world.emit.settled();
    return error;
  }
}

/** Scores the stored answers of another run. Nothing is executed: a cell that has no result there gets none here. */
async function rescoreCells(
  source: string,
  suites: readonly SuiteRun[],
  { store, emit, signal, concurrency }: CellsWorld & { emit: Emit; concurrency: number },
): Promise<number> {
  let missing = 0;
  for (const suite of suites) {
    const planned = await plannedCells(suite, ({ subject, case: one, trial }) =>
      cellName(subjectName(subject), one.id, trial),
    );
    for await (const page of storedResults(store, source, suite))
      await forEachOf(page, concurrency, async (stored) => {
        signal.throwIfAborted();
        const name = cellName(subjectName(stored), stored.caseId, stored.trial);
        const cell = planned.get(name);
        if (cell === undefined) return;
        planned.delete(name);
        const rescoring = rescoredResult(stored, cell, { suite, signal, isSameCase: false });
        const result = await unlessStopped(rescoring, signal);
        emit({ type: "cell-ended", cell: eventName(cell), result });
      });
    missing += planned.size;
  }
  return missing;
}

/** The cells of a suite by a name; making a hundred thousand keys gives others their turns. */
async function plannedCells(suite: SuiteRun, nameOf: (cell: Cell) => string): Promise<Map<string, Cell>> {
  const turns = new EventLoopTurns();
  const planned = new Map<string, Cell>();
  for (const cell of suite.cells) {
    if (turns.isDue()) await turns.take();
    planned.set(nameOf(cell), cell);
  }
  return planned;
}

function cellName(subject: string, caseId: string, trial: number): string {
  return JSON.stringify([subject, caseId, trial]);
}

interface PlannedCell {
  cell: Cell;
  suite: SuiteRun;
}

function* cellsOf(suites: readonly SuiteRun[]): Iterable<PlannedCell> {
  for (const suite of suites) for (const cell of suite.cells) yield { cell, suite };
}

/** Making the keys of a hundred thousand cells takes a second: where all of them are passed over, others get their turns. */
async function* cellsWithoutVerdict(
  suites: readonly SuiteRun[],
  finished: ReadonlySet<string>,
): AsyncIterable<PlannedCell> {
  const turns = new EventLoopTurns();
  for (const planned of cellsOf(suites)) {
    if (turns.isDue()) await turns.take();
    if (!finished.has(planned.cell.key)) yield planned;
  }
}
