import { expect, test } from "vitest";
import { fullPlanResults } from "../src/reporters/planbench/sample-plan-report.ts";
import { chooseSamples, everySample, type SampleChoice } from "./choose-samples.ts";

const chosen = (given: Partial<SampleChoice>) => chooseSamples(fullPlanResults, { ...everySample, ...given });
const names = (given: Partial<SampleChoice>) =>
  chosen(given).places.map((place) => {
    const { caseId, sample } = fullPlanResults[place] ?? { caseId: "", sample: 0 };
    return `${caseId} ${sample}`;
  });

test("at first what failed, then what has no outcome, then what was repaired", () => {
  expect(names({})).toEqual([
    ...["wps-table 1", "审阅-报告 1", "et-formula 2", "wps-table 2", "wps-block 2", "审阅-报告 2"],
    ...["wps-block 1", "et-formula 1", "harness 1"],
  ]);
  expect(chosen({}).counts).toEqual({ failed: 3, "no outcome": 1, repaired: 2, "ok at first": 3 });
});

test.each<[Partial<SampleChoice>, string[]]>([
  [{ route: "fixed" }, ["harness 1"]],
  [{ host: "et" }, ["et-formula 2", "et-formula 1"]],
  [{ tag: "formula", standings: ["failed"] }, ["et-formula 2"]],
  [{ reason: "/actions/*/anchor must be equal to constant" }, ["wps-table 1"]],
  [{ reason: "provider-error: HTTP 500 from api.example.com" }, ["wps-table 2"]],
  [{ text: "DEADLINE wps" }, ["审阅-报告 1"]],
  [{ text: "ZZ99" }, ["et-formula 2"]],
])("samples are narrowed by %j", (choice, expected) => {
  expect(names(choice)).toEqual(expected);
});

test.each<[SampleChoice["order"], string]>([
  [{ by: "case", isDescending: false }, "et-formula 1"],
  [{ by: "repairs", isDescending: true }, "wps-block 2"],
  [{ by: "tokens", isDescending: true }, "wps-block 2"],
  [{ by: "time", isDescending: true }, "审阅-报告 1"],
])("samples are sorted by %j", (order, first) => {
  expect(names({ order })[0]).toBe(first);
});
