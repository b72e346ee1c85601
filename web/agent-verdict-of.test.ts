import { expect, test } from "vitest";
import type { AgentReport } from "../src/contract/agent-report.ts";
import { fullAgentReport, sampleAgentReport } from "../src/reporters/agent/sample-agent-report.ts";
import { sampleAgentResult } from "../src/reporters/agent/sample-agent-result.ts";
import { agentVerdictOf } from "./agent-verdict-of.ts";

const passed = sampleAgentReport([sampleAgentResult()]);
const [summary] = passed.cases;
if (summary === undefined) throw new Error("there is one case");

test.each<[AgentReport, number, string, string]>([
  [passed, 0, "Passed", "Exit code 0: every case passed."],
  [passed, 2, "Passed", "Exit code 0: 2 cells without a verdict, accepted as asked."],
  [
    { ...passed, cases: [{ ...summary, verdicts: 3, passed: 2 }] },
    0,
    "Passed",
    "Exit code 0: every case passed, some by fewer than all of their trials.",
  ],
  [sampleAgentReport([sampleAgentResult({ status: "fail" })]), 0, "Failed", "Exit code 1: 1 case failed."],
  [{ ...fullAgentReport, exitCode: 1 }, 0, "Failed", "Exit code 1: 2 cases failed and 1 gate not met."],
  [
    fullAgentReport,
    1,
    "No verdict",
    "Exit code 3: no verdict, since 1 cell has none and there is nothing to measure 1 gate by.",
  ],
])("the verdict of a report is told with its reason (%#)", (report, invalid, title, why) => {
  expect(agentVerdictOf(report, invalid)).toMatchObject({ title, why });
});
