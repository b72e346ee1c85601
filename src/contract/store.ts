import type { Json } from "../shared/json/json.ts";
import type { SubjectReport } from "./document.ts";
import type { CellName } from "./event.ts";
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

/** What one subject of a run that is done came to, at full precision. */
export interface FinishedReport {
  runId: string;
  finishedAt: string;
  subject: SubjectReport;
}

/** Rows in pages: few round trips to a remote store, and none blocks the event loop. */
export type Pages<Row> = AsyncIterable<readonly Row[]>;

/** Which results to read; what is left out means all. */
export interface ResultFilter {
  level?: string | undefined;
  suite?: string | undefined;
  /** By its name. */
  subject?: string | undefined;
}

/** Which finished reports to read; what is left out means all. */
export interface ReportFilter extends ResultFilter {
  /** Only the newest of each subject. */
  isLatestOnly?: boolean | undefined;
}

/** Queries about runs that ended, also where nothing may be written. */
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
  /** Vectors, floors and cached replies that were last used before this time go; left out: none do. */
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
  /** Runs from before that time that are not done, and so stay. */
  keptUnfinished: number;
  bytesFreed: number;
}

/** The record of runs. What it has acknowledged survives the death of this process and of the machine. */
export interface Store extends RunHistory {
  /** Registers a run and takes its lock. */
  createRun(run: Omit<StoredRun, "state" | "finishedAt">): Promise<void>;
  /** Takes the lock of an old run and marks it running again; refuses while another living process has it. */
  reopenRun(runId: string): Promise<StoredRun>;
  /** Of the runs that are meant: the newest that was interrupted or whose process died, else with invalid cells, else that is done. */
  findResumable(isMeant?: (run: StoredRun) => boolean): Promise<StoredRun | null>;
  /** The runs that were created before this one, the newest first; all where it is null. */
  earlierRuns(runId: string | null): Pages<StoredRun>;
  /** Settles when a death of this process no longer loses it: an attempt begins only then. */
  attemptStarted(runId: string, cell: CellName, attempt: number, at: string): Promise<void>;
  /** Settles when the result is on the disk. A later result of the same cell replaces an invalid one. */
  cellEnded(runId: string, position: number, result: CellResult): Promise<void>;
  /** Replaces the result of a cell, because the rules that decide about it have changed. */
  cellRescored(runId: string, result: CellResult): Promise<void>;
  /** Writes what was gathered now instead of in a moment: nothing more is coming. */
  flush(): void;
  /** Results as the JSON text they were stored as: subject by subject, each in plan order. */
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
    subjects: readonly SubjectReport[],
    at: string,
  ): Promise<void>;
  /** Removes a run of this process with everything that belongs to it, because a later one has taken its place. */
  removeRun(runId: string): Promise<void>;
  /** Removes old runs with everything that belongs to them, all or nothing, and frees their disk space. */
  prune(options: PruneOptions): Promise<Pruned>;
}
