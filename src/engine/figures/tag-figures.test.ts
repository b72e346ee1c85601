import { expect, test } from "vitest";
import { sampleScoring, sampleSummary } from "../../../test/builders/sample-summary.ts";
import { sampleResult } from "../../store/samples.ts";

const tagged = (id: string, tags: string[], weight = 1) => ({ id, tags, weight });

test("tags are sorted, and a task counts once for each of its tags", () => {
  const results = [sampleResult({ caseId: "a" }), sampleResult({ caseId: "b", status: "fail", score: 0.5 })];
  const cases = [tagged("a", ["zoo", "math", "math"]), tagged("b", ["math"])];
  const { byTag } = sampleSummary(results, { cases }).figures();

  expect(Object.keys(byTag)).toEqual(["math", "zoo"]);
  expect(byTag).toMatchObject({
    math: { total: 2, pass: 1, completionRate: 0.5, partialScore: 0.75 },
    zoo: { total: 1, pass: 1, completionRate: 1, partialScore: 1 },
  });
  expect(byTag.math?.interval).toMatchObject({ lower: expect.closeTo(0.094531, 6), cases: 2, nEff: 2 });
});

test("a tag's partial score follows the scoring method", () => {
  const benchmark = sampleScoring({ scoringMethod: "weighted_mean" });
  const results = [sampleResult({ caseId: "a" }), sampleResult({ caseId: "b", status: "fail" })];
  const cases = [tagged("a", ["x"], 3), tagged("b", ["x"])];

  expect(sampleSummary(results, { scoring: benchmark, cases }).figures().byTag).toMatchObject({
    x: { partialScore: 0.75 },
  });
});

test("a tag whose cells are all invalid is there, with nothing to say", () => {
  const { byTag } = sampleSummary([sampleResult({ status: "invalid" })], {
    cases: [tagged("a", ["x"])],
  }).figures();

  expect(byTag).toEqual({
    x: { total: 0, pass: 0, completionRate: null, interval: null, partialScore: null },
  });
});

test("a tag named like a part of every object is a tag", () => {
  const cases = [tagged("a", ["__proto__", "constructor"])];
  const { byTag } = sampleSummary([sampleResult()], { cases }).figures();

  expect(Object.keys(byTag)).toEqual(["__proto__", "constructor"]);
  expect(JSON.stringify(byTag)).toContain('"__proto__":{"total":1');
});

test("tasks without tags give no tags", () => {
  expect(sampleSummary([sampleResult()]).figures().byTag).toEqual({});
});
