import type { GateReport } from "../contract/document.ts";

export interface RunVerdict {
  gates: readonly GateReport[];
  /** How many cases have no verdict. */
  unknown: number;
  /** Whether cases without a verdict are tolerated; an undecided gate never is. */
  allowInvalid: boolean;
  /** Cells that were planned and have no result; nobody can allow those. */
  missing?: number;
  /** Whether figures were mixed that must not be, such as of two versions of a skill. */
  isMixed: boolean;
  /** Whether something was skipped that had to be tested. */
  isMissing: boolean;
}

/** The one rule of exit codes. No verdict beats a failed gate: nobody should read "failed" where we simply do not know. */
export function exitCodeFor(verdict: RunVerdict): 0 | 1 | 3 {
  const { gates, unknown, allowInvalid, missing = 0, isMixed, isMissing } = verdict;
  const enforced = gates.filter((gate) => gate.enforced);
  if (isMixed || missing > 0 || (unknown > 0 && !allowInvalid)) return 3;
  if (enforced.some(({ passed }) => passed === null)) return 3;
  return isMissing || enforced.some(({ passed }) => passed === false) ? 1 : 0;
}
