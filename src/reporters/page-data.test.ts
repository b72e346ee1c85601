import { expect, test } from "vitest";
import { AgentReportFile } from "../contract/agent-report.ts";
import { PlanReportFile } from "../contract/planbench-report.ts";
import { TriggerReportFile } from "../contract/trigger-report.ts";
import { fullAgentReport, fullAgentResults, readFullResults } from "./agent/sample-agent-report.ts";
import { resultsPageData, triggerPageData, unitPageData } from "./page-data.ts";
import { fullPlanReport, fullPlanResults, readFullPlanResults } from "./planbench/sample-plan-report.ts";
import { failures, hostileTexts, sampleCell, sampleReport, sampleSkill, stored } from "./sample-report.ts";
import { fullTriggerReport, hostileTriggerReport, sampleQueries } from "./sample-trigger-report.ts";

const parsed = (pieces: Iterable<string>) => JSON.parse([...pieces].join(""));

test("the report of tasks comes back with the cells of each skill", () => {
  const report = sampleReport({
    reports: [sampleSkill({ skillId: "a" }), sampleSkill({ skillId: "b", benchmarkId: "other" })],
    warnings: ["one"],
  });
  const cellsOf = (skillId: string, benchmarkId = "") =>
    stored(skillId === "a" ? failures : [sampleCell({ skillId, taskId: benchmarkId })]);

  expect(parsed(unitPageData(report, cellsOf))).toEqual({
    ...report,
    reports: [
      { ...report.reports[0], taskResults: failures },
      { ...report.reports[1], taskResults: [sampleCell({ skillId: "b", taskId: "other" })] },
    ],
  });
});

test("no skills and no cells are empty lists", () => {
  expect(parsed(unitPageData(sampleReport({ reports: [] }), () => [])).reports).toEqual([]);
  expect(parsed(unitPageData(sampleReport(), () => [])).reports[0].taskResults).toEqual([]);
});

test("the report of trigger tests comes back with the queries of each skill", () => {
  const { results, ...rest } = fullTriggerReport;
  const document = parsed(triggerPageData(fullTriggerReport, sampleQueries));

  expect(document).toEqual({
    ...rest,
    results: results.map((result) => ({ ...result, queries: sampleQueries(result.skillId) })),
  });
  expect(TriggerReportFile.parse(document)).toEqual(document);
});

test("reports of agent runs and of plans come back with their results", () => {
  const agents = parsed(resultsPageData(fullAgentReport, readFullResults));
  const plans = parsed(resultsPageData(fullPlanReport, readFullPlanResults));

  expect(agents).toEqual({ ...fullAgentReport, results: fullAgentResults });
  expect(AgentReportFile.parse(agents)).toEqual(agents);
  expect(plans).toEqual({ ...fullPlanReport, results: fullPlanResults });
  expect(PlanReportFile.parse(plans)).toEqual(plans);
});

test("a report without other members is whole too", () => {
  expect(parsed(resultsPageData({}, () => [1]))).toEqual({ results: [1] });
});

test("nothing a stranger wrote is more than text, and all of it comes back", () => {
  for (const text of hostileTexts) {
    const { report, queriesOf } = hostileTriggerReport(text);
    const data = [...triggerPageData(report, queriesOf)].join("");

    expect(data).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}|\p{Zp}/u);
    expect(JSON.parse(data).results[0].queries[0].query).toBe(text);
  }
});

test("cells and queries are passed on one at a time", () => {
  let [pulled, written, mostAhead] = [0, 0, 0];
  function* many() {
    for (; pulled < 10_000; ) yield sampleCell({ taskId: `n${pulled++}` });
  }

  for (const piece of unitPageData(sampleReport(), many)) {
    if (piece.startsWith('{"taskId":"n')) written++;
    mostAhead = Math.max(mostAhead, pulled - written);
  }

  expect(written).toBe(10_000);
  expect(mostAhead).toBe(1);
});
