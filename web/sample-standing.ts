import type { PlanResult } from "../src/contract/planbench-report.ts";
import type { Mark } from "./status-mark.tsx";

/** How a sample stands in a report. */
export type SampleStanding = "failed" | "no outcome" | "repaired" | "ok at first";

/** What needs a look comes first. */
export const sampleStandings: readonly SampleStanding[] = ["failed", "no outcome", "repaired", "ok at first"];

export const sampleStandingMarks: Readonly<Record<SampleStanding, Mark>> = {
  failed: "fail",
  "no outcome": "invalid",
  repaired: "repaired",
  "ok at first": "pass",
};

export function sampleStandingOf({
  outcome,
  repairs,
}: Pick<PlanResult, "outcome" | "repairs">): SampleStanding {
  if (outcome === "fail") return "failed";
  if (outcome === "error") return "no outcome";
  return (repairs ?? 0) > 0 ? "repaired" : "ok at first";
}
