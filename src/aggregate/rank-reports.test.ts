import { expect, test } from "vitest";
import type { SkillReport } from "../contract/report.ts";
import { rankReports } from "./rank-reports.ts";
import { sampleSummary } from "./sample-summary.ts";

function reportOf(skillId: string, compositeScore: number | null): SkillReport {
  const report = sampleSummary([]).report("now");
  return { ...report, skillId, summary: { ...report.summary, compositeScore } };
}

function ranked(...reports: SkillReport[]): string[] {
  return rankReports(reports).map((report) => report.skillId);
}

test("the best composite comes first", () => {
  expect(ranked(reportOf("low", 0.1), reportOf("high", 0.9), reportOf("middle", 0.5))).toEqual([
    "high",
    "middle",
    "low",
  ]);
});

test("a difference too small to be written still decides", () => {
  expect(ranked(reportOf("a", 0.50001), reportOf("b", 0.50002))).toEqual(["b", "a"]);
});

test("unknown composites come last, behind 0", () => {
  expect(ranked(reportOf("b", null), reportOf("z", 0), reportOf("a", null))).toEqual(["z", "a", "b"]);
});

test("equal composites are ordered by id", () => {
  expect(ranked(reportOf("c", 0.5), reportOf("a", 0.5), reportOf("b", 0.5))).toEqual(["a", "b", "c"]);
});

test("the list that was given stays as it was", () => {
  const reports = [reportOf("low", 0.1), reportOf("high", 0.9)];

  rankReports(reports);

  expect(reports.map((report) => report.skillId)).toEqual(["low", "high"]);
});
