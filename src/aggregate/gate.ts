import type { GateResult, SkillReport } from "../contract/report.ts";

export type GateRule = Pick<GateResult, "minCompletion" | "on" | "enforced">;

/** Holds every skill's completion rate, or its lower bound, against the line. What is not known does not meet it. */
export function applyGate(reports: readonly SkillReport[], rule: GateRule): GateResult {
  const { minCompletion, on, enforced } = rule;
  const below = reports
    .filter((report) => !meetsLine(figureOf(report, on), minCompletion))
    .map((report) => report.skillId);
  return { minCompletion, on, enforced, passed: reports.length > 0 && below.length === 0, below };
}

function figureOf({ summary }: SkillReport, on: GateResult["on"]): number | null {
  switch (on) {
    case "point":
      return summary.completionRate;
    case "lower":
      return summary.intervals.completionRate?.lower ?? null;
    default:
      return on satisfies never;
  }
}

function meetsLine(figure: number | null, line: number): boolean {
  return figure !== null && figure >= line;
}
