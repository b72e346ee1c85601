import type { AgentResult } from "../src/contract/agent-report.ts";
import type { Verdict } from "../src/contract/verdict.ts";

/** How a cell stands in a report: a twin without skills is only there to compare with. */
export type AgentStanding = "failed" | "no verdict" | "passed" | "baseline";

/** What needs a look comes first. */
export const agentStandings: readonly AgentStanding[] = ["failed", "no verdict", "passed", "baseline"];

export const agentStandingMarks: Readonly<Record<AgentStanding, Verdict | "none">> = {
  failed: "fail",
  "no verdict": "invalid",
  passed: "pass",
  baseline: "none",
};

export function agentStandingOf({
  status,
  condition,
}: Pick<AgentResult, "status" | "condition">): AgentStanding {
  if (status === "invalid") return "no verdict";
  if (condition === "no-skills") return "baseline";
  return status === "pass" ? "passed" : "failed";
}
