import { expect, test } from "vitest";
import type { PlanReport } from "../src/contract/planbench-report.ts";
import { fullPlanReport, samplePlanReport } from "../src/reporters/planbench/sample-plan-report.ts";
import { samplePlanResult } from "../src/reporters/planbench/sample-plan-result.ts";
import { planVerdictOf } from "./plan-verdict-of.ts";

const measured = samplePlanReport([samplePlanResult()]);
const open = samplePlanReport([samplePlanResult({ outcome: "error" })]);
const check = { gate: "min_ok0", route: "routed", on: "point", asked: 0.5, actual: 1, passed: true } as const;

test.each<[PlanReport, string, string]>([
  [measured, "Measured", "Exit code 0: no gate was asked for."],
  [open, "Measured", "Exit code 0: 1 sample without an outcome, accepted as asked."],
  [{ ...measured, gate: { passed: true, checks: [check] } }, "Gate passed", "Exit code 0: 1 gate met."],
  [
    { ...measured, exitCode: 1, gate: { passed: false, checks: [check, { ...check, passed: false }] } },
    "Gate failed",
    "Exit code 1: 1 gate not met.",
  ],
  [{ ...measured, exitCode: 1 }, "Gate failed", "Exit code 1: failed."],
  [fullPlanReport, "No verdict", "Exit code 3: 1 sample has no outcome and 2 gates cannot be told."],
  [{ ...measured, exitCode: 3 }, "No verdict", "Exit code 3: no verdict."],
])("the verdict of a report is told with its reason (%#)", (report, title, why) => {
  expect(planVerdictOf(report)).toMatchObject({ title, why });
});
