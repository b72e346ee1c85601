import type { CaseLevel } from "../../contract/agent-case.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** The level of a case in which somebody speaks: a script, or a real model. */
export function levelOf(
  { level, mock }: { level?: CaseLevel | undefined; mock?: object | undefined },
  report: ProblemReporter,
): CaseLevel {
  if (level === "L0")
    throw report.fault(["level"], "is L0, but only pure functions run without an agent", "remove it");
  if (level === "L1" && mock === undefined)
    throw report.fault(["level"], "is L1, but the case has no mock", "add mock.turns, or set level: L2");
  return level ?? (mock === undefined ? "L2" : "L1");
}
