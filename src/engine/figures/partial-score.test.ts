import { expect, test } from "vitest";
import {
  makeSummary,
  sampleScoring,
  sampleSummary,
  summarizeWords,
  summaryValues,
} from "../../../test/builders/sample-summary.ts";
import { sampleResult } from "../../store/samples.ts";

const weighted = (weights: Record<string, number>) =>
  Object.entries(weights).map(([id, weight]) => ({ id, tags: [], weight }));

test("its interval is the one of the pass rate where every score is 0 or 1", () => {
  const words = { a: "pfpp", b: "fppf", c: "pppp", d: "ffpf", e: "pfff", f: "tppe" };
  const { partialScore, completionRate } = summarizeWords(words);

  expect(partialScore.value).toBe(completionRate.value);
  expect(partialScore.interval).toEqual(completionRate.interval);
});

test("it is never a point: all of 3 is 43.9 to 100, and one task alone says little", () => {
  const { interval } = summarizeWords({ a: "p", b: "p", c: "p" }).partialScore;

  expect(interval).toMatchObject({ lower: expect.closeTo(0.438503, 6), upper: 1, nEff: 3, cases: 3 });
  expect(summarizeWords({ a: "pfp", b: "iii" }).partialScore.interval).toMatchObject({ nEff: 1, cases: 1 });
  expect(summarizeWords({ a: "iii", b: "iii" }).partialScore.interval).toBeNull();
});

test("where tasks weigh differently, the effective number of them is smaller", () => {
  const words = { a: "pp", b: "ff", c: "pp" };
  const plan = {
    cases: weighted({ a: 4, b: 1, c: 1 }),
    scoring: sampleScoring({ scoringMethod: "weighted_mean" }),
  };
  const { interval } = summarizeWords(words, plan).partialScore;

  expect(interval?.nEff).toBeCloseTo(2, 12); // (4 + 1 + 1)²/(16 + 1 + 1)
  expect(interval).toMatchObject({ cases: 3, trials: 6 });
});

test("the mean takes every trial for one, errors and timeouts as 0", () => {
  const results = [
    sampleResult({ caseId: "a", trial: 1, score: 0.8 }),
    sampleResult({ caseId: "a", trial: 2, status: "fail", score: 0.4 }),
    sampleResult({ caseId: "b", trial: 1, status: "error", score: null }),
    sampleResult({ caseId: "b", trial: 2, status: "invalid", score: null }),
  ];

  expect(summaryValues(sampleSummary(results, { runs: 2 }).figures().summary).partialScore).toBeCloseTo(
    0.4,
    15,
  ); // 1.2/3
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

  expect(report.summary.partialScore.value).toBe(0.8); // (3 · 1 + 2 · 0.5)/5
  expect(report.summary.completionRate.value).toBe(0.5); // weights shape the partial score alone
});

test("weights do nothing where the plain mean is asked for", () => {
  const results = [sampleResult(), sampleResult({ caseId: "b", status: "fail" })];

  const { summary } = sampleSummary(results, { cases: weighted({ a: 9, b: 1 }) }).figures();
  expect(summary.partialScore.value).toBe(0.5);
});

test("pass_at_k is the mean over tasks of pass@k, tasks with fewer trials left out", () => {
  const scoring = { scoring: sampleScoring({ scoringMethod: "pass_at_k", k: 2 }) };

  // a: 1 of 3 → 2/3; b: 0 of 2 → 0; c: 1 trial is too few for k 2
  expect(makeSummary({ a: "pff", b: "ffi", c: "pii" }, scoring).partialScore).toBeCloseTo(1 / 3, 15);
  expect(summarizeWords({ a: "pff", b: "ffi", c: "pii" }, scoring).partialScore.interval).toMatchObject({
    nEff: 2,
    trials: 2,
  });
  expect(summarizeWords({ a: "pii", b: "fii" }, scoring).partialScore).toMatchObject({
    value: null,
    interval: null,
  });
});
