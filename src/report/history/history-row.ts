/** One subject of a finished run, and how it compares with the run before. */
export interface HistoryRow {
  runId: string;
  finishedAt: string;
  level: string;
  suite: string;
  /** The id of a skill, or a model and how it was tried. */
  subject: string;
  skillVersion: string;
  /** The most trials of any case. */
  trials: number;
  /** The figure tracked for its level: of tasks the completion rate, of trigger tests the share that passed. */
  rate: number | null;
  partialScore: number | null;
  errorRate: number | null;
  latencyP95Ms: number | null;
  compositeScore: number | null;
  /** Against the run before of the same subject on the same cases; null where there is none. */
  deltaRate: number | null;
  /** Whether the run before had other cases: their content changed, or their number. */
  hasNewCases: boolean;
}

/** How the rate of a subject went on the same cases, oldest first. */
export interface Trend {
  subject: string;
  suite: string;
  /** Whether newer runs have other cases. */
  isOver: boolean;
  rates: readonly (number | null)[];
}
