import type { Scorer } from "../contract/scorer.ts";
import type { ScorerType } from "../contract/scorer-type.ts";
import type { ScoredTask } from "../contract/task.ts";

/** A scorer of one expectation, with the task as if it had no other. */
export interface Part {
  path: string;
  type: ScorerType;
  task: ScoredTask;
  scorer: Scorer;
}

/** Parts that must all pass, or of which one is enough. */
export type Parts = { isAny: false; part: Part } | { isAny: true; path: string; parts: readonly Part[] };

export function partsIn(item: Parts): readonly Part[] {
  return item.isAny ? item.parts : [item.part];
}
