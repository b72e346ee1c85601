import { expect, test } from "vitest";
import { exampleBenchmark, exampleResult, exampleSummary, summaryOf } from "./example-result.ts";

test("the same input and seed give identical intervals, another seed may not", () => {
  const words = { a: "pfpp", b: "fppf", c: "pppp", d: "ffpf", e: "pfff", f: "tppe" };
  const intervals = (seed: number) => summaryOf(words, { seed }).intervals;

  expect(intervals(7)).toEqual(intervals(7));
  expect(intervals(7).partialScore?.seed).toBe(7);
  expect(intervals(8).completionRate).toEqual(intervals(7).completionRate);
});

test("below two tasks that count the partial score has no interval", () => {
  expect(summaryOf({ a: "pfp", b: "iii" }).intervals.partialScore).toBeNull();
  expect(summaryOf({ a: "pfp", b: "iip" }).intervals.partialScore).not.toBeNull();
});

test("the mean takes every trial for one, errors and timeouts as 0", () => {
  const results = [
    exampleResult({ taskId: "a", trial: 1, score: 0.8 }),
    exampleResult({ taskId: "a", trial: 2, status: "fail", score: 0.4 }),
    exampleResult({ taskId: "b", trial: 1, status: "error", score: null }),
    exampleResult({ taskId: "b", trial: 2, status: "invalid", score: null }),
  ];

  expect(exampleSummary(results, { runs: 2 }).report("now").summary.partialScore).toBeCloseTo(0.4, 15); // 1.2/3
});

test("the weighted mean weighs a task's trials by its weight", () => {
  const results = [
    exampleResult({ taskId: "a", weight: 3, score: 1 }),
    exampleResult({ taskId: "b", weight: 2, status: "fail", score: 0.5 }),
  ];
  const report = exampleSummary(results, {
    benchmark: exampleBenchmark({ scoringMethod: "weighted_mean" }),
  }).report("now");

  expect(report.summary.partialScore).toBe(0.8); // (3 · 1 + 2 · 0.5)/5
  expect(report.summary.completionRate).toBe(0.5); // weights shape the partial score alone
});

test("weights do nothing where the plain mean is asked for", () => {
  const results = [exampleResult({ weight: 9 }), exampleResult({ taskId: "b", status: "fail" })];

  expect(exampleSummary(results).report("now").summary.partialScore).toBe(0.5);
});

test("pass_at_k is the mean over tasks of pass@k, tasks with fewer trials left out", () => {
  const scoring = { benchmark: exampleBenchmark({ scoringMethod: "pass_at_k", k: 2 }) };

  // a: 1 of 3 → 2/3; b: 0 of 2 → 0; c: 1 trial is too few for k 2
  expect(summaryOf({ a: "pff", b: "ffi", c: "pii" }, scoring).partialScore).toBeCloseTo(1 / 3, 15);
  expect(summaryOf({ a: "pii", b: "fii" }, scoring)).toMatchObject({
    partialScore: null,
    intervals: { partialScore: null },
  });
});
