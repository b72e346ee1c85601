import { expect, test } from "vitest";
import { makeSummary, sampleScoring, sampleSummary } from "../../../test/builders/sample-summary.ts";
import { sampleResult } from "../../store/samples.ts";

const weighted = (weights: Record<string, number>) =>
  Object.entries(weights).map(([id, weight]) => ({ id, tags: [], weight }));

test("the same input and seed give identical intervals, another seed may not", () => {
  const words = { a: "pfpp", b: "fppf", c: "pppp", d: "ffpf", e: "pfff", f: "tppe" };
  const intervals = (seed: number) => makeSummary(words, { seed }).intervals;

  expect(intervals(7)).toEqual(intervals(7));
  expect(intervals(7).partialScore?.seed).toBe(7);
  expect(intervals(8).completionRate).toEqual(intervals(7).completionRate);
});

test("below two tasks that count the partial score has no interval", () => {
  expect(makeSummary({ a: "pfp", b: "iii" }).intervals.partialScore).toBeNull();
  expect(makeSummary({ a: "pfp", b: "iip" }).intervals.partialScore).not.toBeNull();
});

test("the mean takes every trial for one, errors and timeouts as 0", () => {
  const results = [
    sampleResult({ caseId: "a", trial: 1, score: 0.8 }),
    sampleResult({ caseId: "a", trial: 2, status: "fail", score: 0.4 }),
    sampleResult({ caseId: "b", trial: 1, status: "error", score: null }),
    sampleResult({ caseId: "b", trial: 2, status: "invalid", score: null }),
  ];

  expect(sampleSummary(results, { runs: 2 }).figures().summary.partialScore).toBeCloseTo(0.4, 15); // 1.2/3
});

test("the weighted mean weighs a task's trials by its weight", () => {
  const results = [
    sampleResult({ caseId: "a", score: 1 }),
    sampleResult({ caseId: "b", status: "fail", score: 0.5 }),
  ];
  const report = sampleSummary(results, {
    cases: weighted({ a: 3, b: 2 }),
    scoring: sampleScoring({ scoringMethod: "weighted_mean" }),
  }).figures();

  expect(report.summary.partialScore).toBe(0.8); // (3 · 1 + 2 · 0.5)/5
  expect(report.summary.completionRate).toBe(0.5); // weights shape the partial score alone
});

test("weights do nothing where the plain mean is asked for", () => {
  const results = [sampleResult(), sampleResult({ caseId: "b", status: "fail" })];

  expect(sampleSummary(results, { cases: weighted({ a: 9, b: 1 }) }).figures().summary.partialScore).toBe(
    0.5,
  );
});

test("pass_at_k is the mean over tasks of pass@k, tasks with fewer trials left out", () => {
  const scoring = { scoring: sampleScoring({ scoringMethod: "pass_at_k", k: 2 }) };

  // a: 1 of 3 → 2/3; b: 0 of 2 → 0; c: 1 trial is too few for k 2
  expect(makeSummary({ a: "pff", b: "ffi", c: "pii" }, scoring).partialScore).toBeCloseTo(1 / 3, 15);
  expect(makeSummary({ a: "pii", b: "fii" }, scoring)).toMatchObject({
    partialScore: null,
    intervals: { partialScore: null },
  });
});
