import type { CellName } from "./event.ts";
import type { Json } from "./json.ts";
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

export interface StoredReport {
  skillId: string;
  benchmarkId: string;
  skillVersion: string;
  skillDigest: string;
  summary: Json;
  finishedAt: string;
}

/** The record of runs. What it has acknowledged survives the death of this process and of the machine. */
export interface Store extends AsyncDisposable {
  /** Registers a run and takes its lock. */
  createRun(run: Omit<StoredRun, "state" | "finishedAt">): Promise<void>;
  /** Takes the lock of an old run and marks it running again; refuses while another living process has it. */
  reopenRun(runId: string): Promise<StoredRun>;
  /** The run with this id, or null. */
  findRun(runId: string): Promise<StoredRun | null>;
  /** The newest run that was interrupted, was left by a process that died, or has invalid cells. */
  findResumable(): Promise<StoredRun | null>;
  /** Settles when a death of this process no longer loses it: an attempt begins only then. */
  attemptStarted(runId: string, cell: CellName, attempt: number, at: string): Promise<void>;
  /** Settles when the result is on the disk. A later result of the same cell replaces an invalid one. */
  cellEnded(runId: string, benchmarkId: string, position: number, result: CellResult): Promise<void>;
  /** Writes what was gathered now instead of in a moment: nothing more is coming. */
  flush(): void;
  /** Whether this cell has a verdict: a result that is not `invalid`. */
  hasVerdict(runId: string, cellKey: string): boolean;
  /** Results in plan order, one at a time, as the JSON text they were stored as. */
  results(runId: string, skillId: string): Iterable<string>;
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
}
