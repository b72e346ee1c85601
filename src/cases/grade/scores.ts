import type { CaseReport, DimensionScore } from "../../contract/agent-report.ts";

/** Seven dimensions of which nothing is known. */
export function unseenScores(): CaseReport["scores"] {
  return scoresOf("not_observed");
}

/** Seven dimensions that do not concern a case. */
export function idleScores(): CaseReport["scores"] {
  return scoresOf("not_applicable");
}

function scoresOf(status: "not_observed" | "not_applicable"): CaseReport["scores"] {
  const score = (): DimensionScore => ({ status, pass: null, checks: [] });
  return {
    trigger: { status, pass: null, precision: null, recall: null, selected: [], rejected: [], checks: [] },
    sequence: score(),
    disclosure: score(),
    security: score(),
    budget: score(),
    output: score(),
    streaming: score(),
  };
}
