import type { HarnessFault } from "./cause.ts";

export interface Scored {
  /** 0..1 */
  score: number;
  passed: boolean;
  reason: string | null;
}

/** The scorer itself failed: no number may be invented. */
export interface Unscored {
  score: null;
  cause: HarnessFault;
  message: string;
}

export type Score = Scored | Unscored;
