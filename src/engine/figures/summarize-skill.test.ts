import { expect, test } from "vitest";
import {
  makeResults,
  makeSummary,
  sampleSummary,
  summaryValues,
} from "../../../test/builders/sample-summary.ts";
import type { CellResult } from "../../contract/result.ts";
import { roundShare } from "../../shared/statistics/numbers.ts";
import { sampleResult } from "../../store/samples.ts";

/** Every number to 4 decimals, as documents show shares. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, found) =>
    typeof found === "number" ? roundShare(found) : found,
  );
}

/** 20 tasks in 3 runs. t10 times out, then fails, then passes; t3 fails once; t1 to t11 are about math. */
function documentedResults(): CellResult[] {
  const exceptions: Record<string, Partial<CellResult>> = {
    "t10 1": { status: "timeout", latencyMs: 10_000 },
    "t10 2": { status: "fail" },
    "t3 1": { status: "fail" },
  };
  const cells = Array.from({ length: 60 }, (_, index) => ({
    task: 1 + Math.floor(index / 3),
    trial: 1 + (index % 3),
  }));
  const slow = new Set(["t5 1", "t6 1", "t7 1"]); // with the timeout the 57th to 60th of the sorted latencies
  return cells.map(({ task, trial }) => {
    const name = `t${task} ${trial}`;
    const latencyMs = slow.has(name) ? 412 : 96;
    return sampleResult({ caseId: `t${task}`, trial, latencyMs, ...exceptions[name] });
  });
}

test("the documented example comes out number by number", () => {
  const cases = Array.from({ length: 20 }, (_, index) => ({
    id: `t${index + 1}`,
    tags: index < 11 ? ["math"] : [],
    weight: 1,
  }));
  const report = sampleSummary(documentedResults(), { cases, runs: 3 }).figures();

  expect(report.counts).toEqual({ total: 60, pass: 57, fail: 2, error: 0, timeout: 1, invalid: 0 });
  expect(rounded(summaryValues(report.summary))).toEqual({
    completionRate: 0.95, // 57/60
    completionWithInvalid: 0.95,
    partialScore: 0.95,
    errorRate: 0.0167, // 1/60
    errorRateWithRetries: 0.0167,
    retriedRate: 0,
    invalidShare: 0,
    caseCoverage: 1,
    consistencyScore: 0.9592, // per-run rates 18/20, 19/20, 20/20: 1 − √(2/3)/20 = 1 − 0.040825
    flakeRate: 0.1, // 2 of 20 tasks
    compositeScore: 0.9673, // 0.5 · 0.95 + 0.2 · (1 − 412/30000) + 0.3 · (1 − 1/60) = 0.475 + 0.197253 + 0.295
    passAtK: { "1": 0.95, "2": 0.9833, "3": 1 }, // k 2: (18 + 1 + 2/3)/20
    passHatK: { "1": 0.95, "2": 0.9167, "3": 0.9 }, // k 2: (18 + 1/3 + 0)/20; k 3: 18/20
  });
  const basis = { level: 0.95, cases: 20, trials: 60 };
  const interval = { ...basis, method: "wilson-neff", estimates: "cases-like-these", nEff: 22.1568 };
  const rerun = { ...basis, method: "wilson", estimates: "this-suite", nEff: 60 };
  expect(rounded(report.summary.completionRate)).toEqual({
    value: 0.95,
    interval: { ...interval, lower: 0.7766, upper: 0.9905 },
    thisSuite: { ...rerun, lower: 0.863, upper: 0.9829 },
    n: 60,
  });
  expect(rounded(report.latency)).toEqual({
    p50Ms: 96,
    p95Ms: { value: 412, interval: null, n: 60 },
    p99Ms: { value: 10_000, interval: null, n: 60 },
    latP95Norm: 0.0137,
    maxLatencyMs: 30_000,
  });
  expect(rounded(report.byTag)).toMatchObject({
    math: { total: 33, pass: 30, completionRate: 0.9091, partialScore: 0.9091, interval: { cases: 11 } }, // 30/33
  });
  expect(report.tokenCost).toBeNull();
});

test("a pass after a failed attempt is counted as retried, and its error where retries count", () => {
  const attempt = { n: 1, code: null, latencyMs: 1, message: null };
  const attempts = [
    { ...attempt, status: "error" },
    { ...attempt, n: 2, status: "answered" },
  ] as const;
  const interrupted = [{ ...attempt, status: "interrupted" }, attempts[1]] as const;
  const { summary } = sampleSummary(
    [
      sampleResult({ caseId: "a", trial: 1, attempts }),
      sampleResult({ caseId: "a", trial: 2, attempts: interrupted }), // we were stopped: not its fault
      sampleResult({ caseId: "b", trial: 1, attempts, status: "fail" }),
      sampleResult({ caseId: "b", trial: 2, status: "error", attempts: [attempts[0]] }),
    ],
    { runs: 2 },
  ).figures();

  expect(summaryValues(summary)).toMatchObject({
    completionRate: 0.5,
    retriedRate: 0.25,
    errorRate: 0.25,
    errorRateWithRetries: 0.75,
  });
});

test("an error that a task expects is an answer, not an attempt that failed", () => {
  const attempts = [{ n: 1, status: "error", code: "bad-arguments", latencyMs: 0, message: "" }] as const;
  const { summary } = sampleSummary([sampleResult({ attempts })], { runs: 1 }).figures();

  expect(summaryValues(summary)).toMatchObject({
    completionRate: 1,
    retriedRate: 0,
    errorRateWithRetries: 0,
  });
});

test("what has no verdict is in no rate, and as failures in the one beside it", () => {
  const { summary } = sampleSummary(makeResults({ a: "pi", b: "ii" }), { runs: 2 }).figures();

  expect(summaryValues(summary)).toMatchObject({
    completionRate: 1,
    completionWithInvalid: 0.25,
    invalidShare: 0.75,
    caseCoverage: 0.5,
  });
});

test("a skill that always hangs has its deadline as p95 and a composite of 0", () => {
  const results = makeResults({ a: "tt", b: "tt" }).map((result) => ({ ...result, latencyMs: 5000 }));
  const { summary, latency } = sampleSummary(results, { runs: 2 }).figures();

  expect(latency).toMatchObject({ p50Ms: 5000, p95Ms: { value: 5000 }, latP95Norm: 1 });
  expect(summaryValues(summary)).toMatchObject({
    completionRate: 0,
    partialScore: 0,
    errorRate: 1,
    compositeScore: 0,
  });
});

test("with no cell that counts every rate and the composite are null", () => {
  const report = sampleSummary(makeResults({ a: "ii", b: "ii" }), { runs: 2 }).figures();

  expect(report.counts).toEqual({ total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 4 });
  expect(summaryValues(report.summary)).toEqual({
    completionRate: null,
    completionWithInvalid: 0,
    partialScore: null,
    errorRate: null,
    errorRateWithRetries: null,
    retriedRate: null,
    invalidShare: 1,
    caseCoverage: 0,
    consistencyScore: null,
    flakeRate: null,
    compositeScore: null,
    passAtK: {},
    passHatK: {},
  });
  expect(report.summary.completionRate.interval).toBeNull();
  expect(report.latency).toEqual({
    p50Ms: null,
    p95Ms: { value: null, interval: null, n: 0 },
    p99Ms: { value: null, interval: null, n: 0 },
    latP95Norm: null,
    maxLatencyMs: 30_000,
  });
});

test("invalid cells change no rate, only their own count", () => {
  const { completionWithInvalid, invalidShare, ...rates } = makeSummary({ a: "pfi", b: "ppi" });

  expect(makeSummary({ a: "pf.", b: "pp." })).toMatchObject(rates);
  expect(rates.completionRate).toBe(0.75);
  expect({ completionWithInvalid, invalidShare }).toEqual({
    completionWithInvalid: 0.5,
    invalidShare: 1 / 3,
  });
});

test("cells without a result are simply missing: an interrupted run reports what it has", () => {
  const report = sampleSummary(makeResults({ a: "p.f", b: "..." }), { runs: 3 }).figures();

  expect(report.counts.total).toBe(2);
  expect(report.summary.completionRate.value).toBe(0.5);
});

test("asking for the report twice, with results in between, is harmless", () => {
  const summary = sampleSummary([sampleResult()]);

  const early = summary.figures();
  summary.add(sampleResult({ caseId: "b", status: "fail" }));

  expect(early.counts.total).toBe(1);
  expect(summary.figures().counts.total).toBe(2);
  expect(summary.figures()).toEqual(summary.figures());
});
