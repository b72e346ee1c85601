import type { Json } from "../shared/json/json.ts";
import type { Score } from "./score.ts";
import type { ScorerType } from "./scorer-type.ts";
import type { Task } from "./task.ts";

/** What a scorer gets to see of a cell. */
export interface Answer {
  task: Task;
  output: Json;
  latencyMs: number;
  trial: number;
  /** Aborted when the run is interrupted: a scorer that waits for others may then throw the signal's reason. */
  signal: AbortSignal;
}

/** Turns an answer into a score. Made once per task, so everything it needs is checked before the first cell. */
export interface Scorer {
  readonly type: ScorerType;
  /** Its whole effective configuration, file hashes included: part of the cell's identity. */
  readonly identity: Json;
  score(answer: Answer): Score | Promise<Score>;
}
