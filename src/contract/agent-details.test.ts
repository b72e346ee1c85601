import { expect, test } from "vitest";
import { sampleCaseReport, sampleFailure } from "../../test/sample-case-report.ts";
import { sampleResult } from "../store/samples.ts";
import { AgentDetails, agentDetails, asJson, toCaseReport } from "./agent-details.ts";

test("what a grader said comes back from a stored cell as it was, whatever an author called things", () => {
  const failure = sampleFailure({
    expected: { snake_case: [{ must_not_change: 1 }] },
    actual: { camelCase: { also_not: 2 } },
  });
  const report = sampleCaseReport({ status: "fail", failures: [failure], quotes: { "12": "a_b" } });

  const details = agentDetails(report, ".agent/runs/x");
  const cell = sampleResult({
    level: "agent",
    suite: report.suite,
    caseId: report.case_id,
    skillId: null,
    model: report.model,
    arm: "installed",
    status: "fail",
    warnings: report.warnings,
    output: { runDir: "/runs/x" },
    details: asJson(details),
  });

  expect(AgentDetails.parse(details)).toEqual(details);
  expect(toCaseReport(JSON.parse(JSON.stringify(cell)))).toEqual(report);
});
