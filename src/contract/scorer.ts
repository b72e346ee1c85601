import type { Json } from "./json.ts";
import type { Score } from "./score.ts";
import type { Task } from "./task.ts";

export const scorerTypes = [
  "exact_match",
  "contains",
  "regex",
  "json_schema",
  "close_to",
  "llm_judge",
  "custom",
  "tool_error",
] as const;
export type ScorerType = (typeof scorerTypes)[number];

/** What a scorer gets to see of a cell. */
export interface Answer {
  task: Task;
  output: Json;
  latencyMs: number;
}

/** Turns an answer into a score. Made once per task, so everything it needs is checked before the first cell. */
export interface Scorer {
  readonly type: ScorerType;
  /** Its whole effective configuration, file hashes included: part of the cell's identity. */
  readonly identity: Json;
  score(answer: Answer): Score | Promise<Score>;
}
