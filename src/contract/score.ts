import type { HarnessFault } from "./cause.ts";
import type { JudgeRecord } from "./result.ts";

/** An answer was scored. */
export interface Scored {
  /** 0..1 */
  score: number;
  passed: boolean;
  reason: string | null;
  /** What asking a model took, where one was asked. Never charged to the skill. */
  judge?: JudgeRecord | undefined;
}

/** The scorer itself failed: no number may be invented. */
export interface Unscored {
  score: null;
  cause: HarnessFault;
  message: string;
  judge?: JudgeRecord | undefined;
}

export type Score = Scored | Unscored;
