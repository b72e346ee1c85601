import type { CellName } from "./event.ts";
import type { Json } from "./json.ts";
import type { SkillReport } from "./report.ts";
import type { CellResult } from "./result.ts";

export type RunState = "running" | "interrupted" | "done";

/** What a run set out to do: enough to find out whether it can be resumed. */
export interface StoredRun {
  id: string;
  state: RunState;
  plan: Json;
  startedAt: string;
  finishedAt: string | null;
  toolVersion: string;
}

/** The figures of a skill that a finished run keeps, at full precision. */
export type StoredFigures = Pick<SkillReport, "counts" | "summary" | "latency" | "tokenCost">;

/** What a finished run keeps of one skill. */
export interface StoredReport {
  skillId: string;
  benchmarkId: string;
  skillVersion: string;
  skillDigest: string;
  figures: StoredFigures;
  finishedAt: string;
}

/** What one skill got on one benchmark in a run that is done. */
export interface FinishedReport extends StoredReport {
  runId: string;
}

/**
 * Rows in order, many at a time. Reading waits once per page instead of once per row, and between two pages nothing is
 * held: others write, and the event loop gets its turn.
 */
export type Pages<Row> = AsyncIterable<readonly Row[]>;

/** Which results are asked for; what is left out means all. */
export interface ResultFilter {
  skillId?: string | undefined;
  suiteId?: string | undefined;
}

/** Which finished reports are asked for; what is left out means all. */
export interface ReportFilter {
  skillId?: string | undefined;
  benchmarkId?: string | undefined;
  /** Only the newest of each skill and benchmark. */
  isLatestOnly?: boolean | undefined;
}

/** What can be asked about runs that ended, also where nothing may be written. */
export interface RunHistory extends AsyncDisposable {
  /** The run with this id, or null. */
  findRun(runId: string): Promise<StoredRun | null>;
  /** Reports of runs that are done, newest first. */
  finishedReports(filter?: ReportFilter): Pages<FinishedReport>;
}

/** What pruning removes. */
export interface PruneOptions {
  /** Runs that were done before this time go; null: none do. UTC, as `isoTime` writes it. */
  before: string | null;
  /** Vectors, floors and kept replies that were last used before this time go; left out: none do. */
  unusedSince?: string | undefined;
  /** Only finds out what would go. */
  isDryRun: boolean;
}

/** What pruning removed, or would remove. */
export interface Pruned {
  runs: number;
  vectors: number;
  /** Replies of models. */
  cache: number;
  /** Runs of before that time that are not done, and so were kept. */
  keptUnfinished: number;
  bytesFreed: number;
}

/** The record of runs. What it has acknowledged survives the death of this process and of the machine. */
export interface Store extends RunHistory {
  /** Registers a run and takes its lock. */
  createRun(run: Omit<StoredRun, "state" | "finishedAt">): Promise<void>;
  /** Takes the lock of an old run and marks it running again; refuses while another living process has it. */
  reopenRun(runId: string): Promise<StoredRun>;
  /** The newest run that is meant, and was interrupted, was left by a process that died, or has invalid cells. */
  findResumable(isMeant?: (run: StoredRun) => boolean): Promise<StoredRun | null>;
  /** Settles when a death of this process no longer loses it: an attempt begins only then. */
  attemptStarted(runId: string, cell: CellName, attempt: number, at: string): Promise<void>;
  /** Settles when the result is on the disk. A later result of the same cell replaces an invalid one. */
  cellEnded(runId: string, suiteId: string, position: number, result: CellResult): Promise<void>;
  /** Writes what was gathered now instead of in a moment: nothing more is coming. */
  flush(): void;
  /**
   * Results as the JSON text they were stored as: of one skill in plan order, of everyone suite by suite and each suite in
   * plan order.
   */
  results(runId: string, filter?: ResultFilter): Pages<string>;
  /** The result of one cell as stored, or null. */
  result(runId: string, cellKey: string): Promise<string | null>;
  /** Keys of the cells that have a verdict, a result that is not `invalid`; in no particular order. */
  verdictKeys(runId: string): Pages<string>;
  /** Numbers of the attempts at this cell that ever began, ascending. */
  startedAttempts(runId: string, cellKey: string): Promise<number[]>;
  /** Writes the summaries, sets the state and gives the lock back, all or nothing. */
  finishRun(
    runId: string,
    state: Exclude<RunState, "running">,
    reports: readonly StoredReport[],
    at: string,
  ): Promise<void>;
  /** Removes old runs with everything that belongs to them, all or nothing, and gives their room back. */
  prune(options: PruneOptions): Promise<Pruned>;
}
