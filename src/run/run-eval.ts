import { type Clock, isoTime } from "../base/clock.ts";
import type { Disk } from "../base/disk.ts";
import { forEachOf } from "../base/for-each-of.ts";
import type { Cell } from "../contract/cell.ts";
import type { Listener } from "../contract/event.ts";
import type { CellReader, Report, Reporter } from "../contract/report.ts";
import type { Store } from "../contract/store.ts";
import { askCanariesOf, canaryWarnings } from "./ask-canaries.ts";
import { earlierAttempts } from "./earlier-attempts.ts";
import { openEvalLog } from "./eval-log.ts";
import { foldResults } from "./fold-results.ts";
import { Interrupted } from "./interrupted.ts";
import { keptResults } from "./kept-results.ts";
import { makeReport } from "./make-report.ts";
import { otherContainment } from "./other-containment.ts";
import type { ReadyRun } from "./preflight.ts";
import { evalPurpose, type Purpose } from "./purpose.ts";
import { reportsToKeep } from "./reports-to-keep.ts";
import type { OutputOptions, PlanOptions } from "./request.ts";
import { runCell } from "./run-cell.ts";
import { stopOn } from "./stop.ts";
import { factsOfTasks } from "./task-facts.ts";
import { type Tell, teller } from "./tell.ts";
import { planReportFiles, shownFiles, writeReports } from "./write-reports.ts";

/** A run that has its place in the store: new, or taken up again. */
export interface OpenRun {
  id: string;
  startedAt: string;
  isResumed: boolean;
  /** Whether it had come to its end before it was taken up again. */
  wasDone: boolean;
  plan: PlanOptions;
}

export interface RunWorld {
  store: Store;
  reporters: readonly Reporter[];
  clock: Clock;
  random: () => number;
  /** Aborted with an `Interrupted` when the user wants to stop. */
  signal: AbortSignal;
  listeners: readonly Listener[];
  version: string;
  cwd: string;
  /** How the line log and the reports are written, where it is not the usual way. */
  disk?: Disk;
}

export type RunEnd =
  | { state: "done"; report: Report; cellsOf: CellReader }
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Executes every cell of a run that has no verdict yet, and reports over all of them. */
export async function runEval(
  run: OpenRun,
  ready: ReadyRun,
  output: OutputOptions,
  world: RunWorld,
  purpose: Purpose = evalPurpose(output),
): Promise<RunEnd> {
  const { store, clock, disk } = world;
  const { benchmark, sandbox, plan } = ready;
  const stop = stopOn(world.signal);
  const results = foldResults(ready, run.plan);
  const kept = () => (run.isResumed ? keptResults(store, run.id, ready.skills) : []);
  const others = otherContainment(sandbox.containment);
  const alreadyDone = results.addStored(others.watch(kept()));
  const warnings = [...ready.warnings, ...others.warnings()];
  const logFacts = {
    runId: run.id,
    benchmarkId: benchmark.id,
    seed: run.plan.seed,
    skills: ready.skills,
  };
  await using log = openEvalLog(output.evalLog, logFacts, disk);
  await log.complete(kept());
  const tell = teller({
    runId: run.id,
    benchmarkId: benchmark.id,
    store,
    log,
    fold: results.hear,
    listeners: world.listeners,
    redact: ready.redact,
    stop: stop.because,
  });

  tell({
    type: "run-started",
    runId: run.id,
    cells: plan.size,
    alreadyDone,
    containment: sandbox.containment,
  });
  for (const message of [...warnings, ...log.warnings]) tell({ type: "warning", message });
  // A run that was done and has nothing left to run only writes its reports anew.
  const canaries = askCanariesOf(ready.judges, !run.wasDone || alreadyDone < plan.size, stop.signal);
  canaries.catch(() => {}); // heard at the end; until then the cells come first
  const interruption = await executeCells(run, ready, output.concurrency, {
    ...world,
    signal: stop.signal,
    tell,
    canaries,
  });
  if (interruption !== null) {
    await store.finishRun(run.id, "interrupted", [], isoTime(clock.now()));
    tell({ type: "run-ended", state: "interrupted" });
    return { state: "interrupted", signal: interruption.signal };
  }

  const finishedAt = isoTime(clock.now());
  const conclusion = purpose.conclude(
    results.reports(finishedAt),
    ready.skills.map(({ skill }) => skill),
  );
  const canaryFigures = await canaries;
  const doubts = canaryWarnings(canaryFigures);
  for (const message of doubts) tell({ type: "warning", message });
  using places = planReportFiles(world.reporters, output.outputDir, finishedAt, disk);
  const report = makeReport(
    {
      command: purpose.command,
      conclusion,
      judges: results.judges(canaryFigures),
      tasks: ready.redact(factsOfTasks(ready.tasks)),
      run: runFacts(run, ready, output, finishedAt),
      version: world.version,
      warnings: [...warnings, ...doubts],
      files: shownFiles(places.files, world.cwd),
    },
    output,
  );
  const cellsOf: CellReader = (skillId) => store.results(run.id, skillId);
  writeReports(report, places.files, cellsOf, disk);
  // Only now: a run whose report could not be written is not done, and `--resume` finds it.
  await store.finishRun(run.id, "done", reportsToKeep(run.plan, conclusion), finishedAt);
  tell({ type: "run-ended", state: "done" });
  return { state: "done", report, cellsOf };
}

/** Runs what is left of the plan. An interruption is no failure: what ended is kept, what runs is killed, the rest waits. */
async function executeCells(
  run: OpenRun,
  ready: ReadyRun,
  concurrency: number,
  world: RunWorld & { tell: Tell; canaries: Promise<unknown> },
): Promise<Interrupted | null> {
  const { clock } = world;
  const epochMs = clock.now() - clock.monotonic();
  const cellWorld = {
    ...world,
    steadyNow: () => epochMs + clock.monotonic(),
    execute: ready.execute,
    checkOutput: ready.checkOutput,
    stampOf: ready.stampOf,
    redact: ready.redact,
    retries: run.plan.retries,
    earlierAttempts: run.isResumed ? earlierAttempts(world.store, run.id) : () => [],
  };
  try {
    await forEachOf(cellsWithoutVerdict(run, ready, world.store), concurrency, (cell) =>
      runCell(cell, cellWorld),
    );
    await world.tell.settled();
    await world.canaries;
    return null;
  } catch (error) {
    await ready.sandbox[Symbol.asyncDispose]();
    if (!(error instanceof Interrupted)) throw error;
    await world.tell.settled();
    return error;
  }
}

function* cellsWithoutVerdict(run: OpenRun, { plan }: ReadyRun, store: Store): Iterable<Cell> {
  for (const cell of plan) if (!run.isResumed || !store.hasVerdict(run.id, cell.key)) yield cell;
}

function runFacts(
  run: OpenRun,
  { sandbox }: ReadyRun,
  output: OutputOptions,
  finishedAt: string,
): Report["run"] {
  const { runs, retries, timeoutMs, evaluator, seed } = run.plan;
  return {
    id: run.id,
    startedAt: run.startedAt,
    finishedAt,
    runs,
    concurrency: output.concurrency,
    retries,
    timeoutMs,
    evaluator,
    seed,
    store: output.store,
    containment: sandbox.containment,
  };
}
