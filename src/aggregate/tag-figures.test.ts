import { expect, test } from "vitest";
import { sampleResult } from "../contract/sample-result.ts";
import { sampleBenchmark, sampleSummary } from "./sample-summary.ts";

test("tags are sorted, and a task counts once for each of its tags", () => {
  const results = [
    sampleResult({ taskId: "a", tags: ["zoo", "math", "math"] }),
    sampleResult({ taskId: "b", tags: ["math"], status: "fail", score: 0.5 }),
  ];
  const { byTag } = sampleSummary(results).report("now");

  expect(Object.keys(byTag)).toEqual(["math", "zoo"]);
  expect(byTag).toEqual({
    math: { total: 2, pass: 1, completionRate: 0.5, partialScore: 0.75 },
    zoo: { total: 1, pass: 1, completionRate: 1, partialScore: 1 },
  });
});

test("a tag's partial score follows the scoring method", () => {
  const benchmark = sampleBenchmark({ scoringMethod: "weighted_mean" });
  const results = [
    sampleResult({ taskId: "a", tags: ["x"], weight: 3 }),
    sampleResult({ taskId: "b", tags: ["x"], status: "fail" }),
  ];

  expect(sampleSummary(results, { benchmark }).report("now").byTag).toMatchObject({
    x: { partialScore: 0.75 },
  });
});

test("a tag whose cells are all invalid is there, with nothing to say", () => {
  const { byTag } = sampleSummary([sampleResult({ tags: ["x"], status: "invalid" })]).report("now");

  expect(byTag).toEqual({ x: { total: 0, pass: 0, completionRate: null, partialScore: null } });
});

test("a tag named like a part of every object is a tag", () => {
  const { byTag } = sampleSummary([sampleResult({ tags: ["__proto__", "constructor"] })]).report("now");

  expect(Object.keys(byTag)).toEqual(["__proto__", "constructor"]);
  expect(JSON.stringify(byTag)).toContain('"__proto__":{"total":1');
});

test("tasks without tags give no tags", () => {
  expect(sampleSummary([sampleResult()]).report("now").byTag).toEqual({});
});
