import { expect, test } from "vitest";
import { PlanReportFile } from "../contract/planbench-report.ts";
import { planJsonReporter } from "../reporters/planbench/plan-json.ts";
import { fullPlanReport, readFullPlanResults } from "../reporters/planbench/sample-plan-report.ts";
import { planReport } from "./plan-report.ts";

const read = (document: object) => planReport(structuredClone(document), "./r.json");

/** The least that says anything. */
const least = {
  schemaVersion: 1,
  command: "planbench",
  tool: { name: "eval-skills", version: "1.0.0" },
  run: { id: "r1", bench: "plans" },
  passed: 1,
  total: 3,
  results: [
    { caseId: "a", outcome: "ok" },
    { caseId: "a", sample: 2, outcome: "fail", violations: [{ reason: "not JSON" }] },
    { caseId: "b", outcome: "error", attempts: [{ valid: false }] },
  ],
};

test("a report of planbench comes back as it was written", () => {
  const document = JSON.parse([...planJsonReporter.render(fullPlanReport, readFullPlanResults)].join(""));

  expect(read(document)).toEqual(document);
});

test("what such a report leaves out is filled up: the rest of it fits the contract", () => {
  const report = read({ ...least, summary: [{ route: "routed", planned: 3 }] });

  expect(PlanReportFile.parse(report)).toEqual(report);
  expect(report).toMatchObject({
    run: { model: "", samples: 1, isolation: null, schema: { name: "" } },
    gate: { passed: true, checks: [] },
    summary: [
      { n: 0, ok0Rate: null, buckets: { "0": 0, fail: 0 }, sampleMs: { p95: null }, topFailures: [] },
    ],
    exitCode: 0,
    results: [
      { sample: 1, route: "routed", status: "pass", attempts: [], tokens: null },
      { status: "fail", violations: [{ pointer: "", reason: "not JSON" }] },
      { status: "invalid", attempts: [{ ms: 0, executed: null, violations: [] }] },
    ],
  });
  expect(report.summary[0]).not.toHaveProperty("execRate");
});

test.each([
  ["a sample without an outcome", { caseId: "a" }, "$.results[0].outcome"],
  ["an unknown outcome", { caseId: "a", outcome: "great" }, "$.results[0].outcome"],
  ["an unknown route", { caseId: "a", outcome: "ok", route: "lost" }, "$.results[0].route"],
  ["a sample before the first", { caseId: "a", outcome: "ok", sample: 0 }, "$.results[0].sample"],
  [
    "a violation that is none",
    { caseId: "a", outcome: "fail", violations: ["bad"] },
    "$.results[0].violations[0]",
  ],
])("%s is refused with its place", (_, result, jsonPath) => {
  expect(() => read({ ...least, results: [result] })).toThrow(
    expect.objectContaining({ code: "report-invalid", path: "./r.json", jsonPath }),
  );
});
