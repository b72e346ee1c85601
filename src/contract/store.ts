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
  /** Reports of runs that are done, newest first, one at a time. */
  finishedReports(filter?: ReportFilter): Iterable<FinishedReport>;
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
  /** Whether this cell has a verdict: a result that is not `invalid`. */
  hasVerdict(runId: string, cellKey: string): boolean;
  /** Results of a skill in one suite, or in all, in plan order, one at a time, as the JSON text they were stored as. */
  results(runId: string, skillId: string, suiteId?: string): Iterable<string>;
  /** Results of everyone in a run, suite by suite, in plan order, one at a time, as stored. */
  everyResult(runId: string): Iterable<string>;
  /** The result of one cell as stored, or null. */
  result(runId: string, cellKey: string): string | null;
  /** Numbers of the attempts at this cell that ever began. */
  startedAttempts(runId: string, cellKey: string): number[];
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
