import { expect, test } from "vitest";
import { AgentReportFile } from "../contract/agent-report.ts";
import { agentJsonReporter } from "../reporters/agent/agent-json.ts";
import { fullAgentReport, readFullResults } from "../reporters/agent/sample-agent-report.ts";
import { agentReport } from "./agent-report.ts";

const read = (document: object) => agentReport(structuredClone(document), "./r.json");

const least = {
  schemaVersion: 1,
  command: "agent eval",
  tool: { name: "eval-skills", version: "1.0.0" },
  run: { id: "r1" },
  totals: { cases: 1, cells: 1, pass: 0, fail: 1, invalid: 0 },
  results: [
    {
      suite: "smoke",
      case_id: "a",
      status: "fail",
      scores: { output: { status: "fail" }, unit: { status: "pass" } },
      failures: [{ dimension: "output", code: "OutputContains" }],
    },
  ],
};

test("a report of agent eval comes back as it was written", () => {
  const document = JSON.parse([...agentJsonReporter.render(fullAgentReport, readFullResults)].join(""));

  expect(read(document)).toEqual(document);
});

test("what such a report leaves out is filled up: the rest of it fits the contract", () => {
  const report = read(least);

  expect(AgentReportFile.parse(report)).toEqual(report);
  expect(report).toMatchObject({
    totals: { skipped: 0 },
    pass_rate: { value: null },
    run: { models: [], isolation: { level: "unknown" } },
    results: [
      {
        level: "L1",
        model: "mock",
        trial: 1,
        condition: "with-skills",
        pass: false,
        scores: {
          trigger: { status: "not_applicable", pass: null, selected: [] },
          output: { status: "fail", pass: false, checks: [] },
          unit: { pass: true },
        },
        failures: [{ message: "", events: [], lines: [] }],
      },
    ],
  });
  expect(read({ ...least, metrics: {} }).metrics).toMatchObject({
    trigger_recall: { value: null },
    baseline: null,
  });
});

test.each([
  ["a result without a status", { suite: "s", case_id: "a" }, "$.results[0].status"],
  ["an unknown status", { suite: "s", case_id: "a", status: "great" }, "$.results[0].status"],
  [
    "an unknown dimension",
    { suite: "s", case_id: "a", status: "fail", failures: [{ dimension: "taste", code: "x" }] },
    "$.results[0].failures[0].dimension",
  ],
  [
    "no turns at all",
    { suite: "s", case_id: "a", status: "pass", stats: { turns: -1 } },
    "$.results[0].stats.turns",
  ],
])("%s is refused with its place", (_, result, jsonPath) => {
  expect(() => read({ ...least, results: [result] })).toThrow(
    expect.objectContaining({ code: "report-invalid", path: "./r.json", jsonPath }),
  );
});
