/** One finished run of a skill on a benchmark, or of its trigger tests, and how it compares with the run before. */
export interface HistoryRow {
  runId: string;
  finishedAt: string;
  skillId: string;
  skillVersion: string;
  benchmarkId: string;
  /** Trials per task; null where the plan of the run does not say. */
  runs: number | null;
  /** Of trigger tests the share that passed; they have no partial score, errors or composite. */
  completionRate: number | null;
  partialScore: number | null;
  errorRate: number | null;
  p95Ms: number | null;
  compositeScore: number | null;
  /** Against the run before of the same skill and benchmark; null where there is none. */
  deltaCompletion: number | null;
}

/** How the completion rate of a skill on a benchmark went, oldest first. */
export interface Trend {
  skillId: string;
  benchmarkId: string;
  rates: readonly (number | null)[];
}
