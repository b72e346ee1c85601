import { type Clock, isoTime } from "../base/clock.ts";
import type { Disk } from "../base/disk.ts";
import { EventLoopTurns } from "../base/event-loop-turns.ts";
import { forEachOf } from "../base/for-each-of.ts";
import type { Cell } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import type { Listener } from "../contract/event.ts";
import type { Store } from "../contract/store.ts";
import { earlierAttempts } from "./earlier-attempts.ts";
import { openEvalLog } from "./eval-log.ts";
import { Interrupted } from "./interrupted.ts";
import { otherContainment } from "./other-containment.ts";
import type { Part } from "./part.ts";
import { type CellWorld, runCell } from "./run-cell.ts";
import { stopOn } from "./stop.ts";
import { finishedKeys, storedLines, storedVerdicts } from "./stored-results.ts";
import { type Tell, teller } from "./tell.ts";

/** A run that has its place in the store: new, or taken up again. */
export interface StartedRun {
  id: string;
  startedAt: string;
  isResumed: boolean;
  /** Whether it had come to its end before it was taken up again. */
  wasDone: boolean;
}

/** What a run is made of. */
export interface RunWork {
  parts: readonly Part[];
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
  | { state: "done"; tell: Tell; warnings: string[] }
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Executes every cell of a run that has no verdict yet. What ended is on the disk, and counted by its part. */
export async function runCells(run: StartedRun, work: RunWork, world: CellsWorld): Promise<CellsEnd> {
  const { parts, containment } = work;
  const { store, clock, disk } = world;
  const stop = stopOn(world.signal);
  const others = otherContainment(containment);
  const alreadyDone = await countStored(run, work, others.watch, store);
  const cells = parts.reduce((sum, { plan }) => sum + plan.size, 0);
  const bySuite = new Map(parts.map((part) => [part.suiteId, part]));
  const partOf = (suiteId: string) => bySuite.get(suiteId) as Part;
  await using log = openEvalLog(
    work.evalLog,
    { runId: run.id, lineOf: (suiteId, result) => partOf(suiteId).lineOf(result) },
    disk,
  );
  await log.complete(storedLines(run, parts, store));
  const tell = teller({
    runId: run.id,
    store,
    log,
    fold: (event) => void (event.type === "cell-ended" && partOf(event.cell.suiteId).add(event.result)),
    listeners: world.listeners,
    redact: work.redact,
    stop: stop.because,
  });
  const warnings = [...work.warnings, ...others.warnings()];

  tell({ type: "run-started", runId: run.id, cells, alreadyDone, containment });
  for (const message of [...warnings, ...log.warnings]) tell({ type: "warning", message });
  // A run that was done and has nothing left to run only writes its reports anew.
  const isNeeded = !run.wasDone || alreadyDone < cells;
  const beside = isNeeded ? work.beside?.(stop.signal) : undefined;
  beside?.catch(() => {}); // heard at the end; until then the cells come first
  const interruption = await executeCells(run, work, { ...world, signal: stop.signal, tell, beside });
  if (interruption === null) return { state: "done", tell, warnings };
  await store.finishRun(run.id, "interrupted", [], isoTime(clock.now()));
  tell({ type: "run-ended", state: "interrupted" });
  return { state: "interrupted", signal: interruption.signal };
}

/** Counts what an earlier part of the run left behind, and says how many cells that were. */
async function countStored(
  run: StartedRun,
  { parts }: RunWork,
  watch: ReturnType<typeof otherContainment>["watch"],
  store: Store,
): Promise<number> {
  let count = 0;
  for (const part of run.isResumed ? parts : []) {
    for await (const results of storedVerdicts(store, run.id, part)) {
      for (const result of results) {
        watch(result);
        part.add(result);
      }
      count += results.length;
    }
  }
  return count;
}

/** Runs what is left of the plan. An interruption is no failure: what ended is kept, what runs is killed, the rest waits. */
async function executeCells(
  run: StartedRun,
  { parts, concurrency, redact, abandon }: RunWork,
  world: CellsWorld & { tell: Tell; beside: Promise<unknown> | undefined },
): Promise<Interrupted | null> {
  const { clock } = world;
  const epochMs = clock.now() - clock.monotonic();
  const shared = {
    ...world,
    redact,
    steadyNow: () => epochMs + clock.monotonic(),
    earlierAttempts: run.isResumed ? earlierAttempts(world.store, run.id) : undefined,
  };
  const worlds = new Map(
    parts.map((part) => {
      const { execute, checkOutput, stampOf, keepsWholeOutput, retries } = part;
      return [part, { ...shared, execute, checkOutput, stampOf, keepsWholeOutput, retries }];
    }),
  );
  try {
    const cells = run.isResumed
      ? cellsWithoutVerdict(parts, await finishedKeys(world.store, run.id))
      : cellsOf(parts);
    await forEachOf(cells, concurrency, ({ cell, part }) => runCell(cell, worlds.get(part) as CellWorld));
    await world.tell.settled();
    await world.beside;
    return null;
  } catch (error) {
    await abandon();
    if (!(error instanceof Interrupted)) throw error;
    await world.tell.settled();
    return error;
  }
}

interface PlannedCell {
  cell: Cell;
  part: Part;
}

function* cellsOf(parts: readonly Part[]): Iterable<PlannedCell> {
  for (const part of parts) for (const cell of part.plan) yield { cell, part };
}

/** Making the keys of a hundred thousand cells takes a second: where all of them are passed over, others get their turns. */
async function* cellsWithoutVerdict(
  parts: readonly Part[],
  finished: ReadonlySet<string>,
): AsyncIterable<PlannedCell> {
  const turns = new EventLoopTurns();
  for (const planned of cellsOf(parts)) {
    if (turns.isDue()) await turns.take();
    if (!finished.has(planned.cell.key)) yield planned;
  }
}
