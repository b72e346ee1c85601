import type { Json } from "../shared/json/json.ts";
import type { HarnessFault } from "./cause.ts";
import type { JudgeRecord } from "./result.ts";

interface Graded {
  /** What asking a model took, where one was asked. Never charged to the skill. */
  judge?: JudgeRecord | undefined;
  /** What the level stores of its own. */
  details?: Readonly<Record<string, Json>> | undefined;
  /** Things worth knowing that do not change the verdict. */
  warnings?: readonly string[] | undefined;
}

/** An answer was scored. */
export interface Scored extends Graded {
  /** 0..1 */
  score: number;
  passed: boolean;
  reason: string | null;
}

/** The scorer itself failed: no number may be invented. */
export interface Unscored extends Graded {
  score: null;
  cause: HarnessFault;
  message: string;
}

export type Score = Scored | Unscored;
