import { expect, test } from "vitest";
import { sampleResult } from "../contract/sample-result.ts";
import { roundReport } from "./round-numbers.ts";
import { resultsOf, sampleSummary } from "./sample-summary.ts";

const usage = { promptTokens: 1234, completionTokens: null, totalTokens: null, costUsd: 0.123456 };

test("rates, scores and intervals are written with 4 decimals", () => {
  const report = sampleSummary(resultsOf({ a: "ppf", b: "pff" }), { runs: 3 }).report("now");
  const { summary } = roundReport(report);

  expect(report.summary.passAtK?.["2"]).toBeCloseTo((1 + 2 / 3) / 2, 14);
  expect(summary).toMatchObject({
    completionRate: 0.5,
    // per-run rates 1, 0.5, 0: spread √((0.25 + 0 + 0.25)/3) = 0.408248
    consistencyScore: 0.5918,
    passAtK: { "1": 0.5, "2": 0.8333, "3": 1 },
    passHatK: { "1": 0.5, "2": 0.1667, "3": 0 },
    intervals: { partialScore: { lower: 0.3333, upper: 0.6667, level: 0.95, method: "bootstrap", seed: 0 } },
  });
});

test("latencies keep at most 3 decimals", () => {
  const report = sampleSummary([sampleResult({ latencyMs: 12.3456789 })]).report("now");

  // 12.3456789/30000 = 0.000411…
  expect(roundReport(report).latency).toMatchObject({
    p50Ms: 12.346,
    p95Ms: 12.346,
    p99Ms: 12.346,
    latP95Norm: 0.0004,
  });
});

test("tags and cost are rounded too, counts are not touched", () => {
  const results = [
    sampleResult({ tags: ["x"], usage }),
    sampleResult({ taskId: "b", tags: ["x"], status: "fail", score: 0.123456 }),
  ];
  const rounded = roundReport(sampleSummary(results).report("now"));

  expect(rounded.byTag).toEqual({ x: { total: 2, pass: 1, completionRate: 0.5, partialScore: 0.5617 } }); // 1.123456/2
  expect(rounded.tokenCost).toEqual({
    promptTokens: 1234,
    completionTokens: 0,
    totalTokens: 1234,
    estimatedUSD: 0.1235,
  });
  expect(rounded.counts).toMatchObject({ total: 2, pass: 1, fail: 1 });
});

test("what is unknown stays unknown", () => {
  const report = sampleSummary([]).report("now");

  expect(roundReport(report)).toEqual(report);
});

test("rounding what was rounded changes nothing", () => {
  const once = roundReport(sampleSummary(resultsOf({ a: "pft", b: "pee" }), { runs: 3 }).report("now"));

  expect(roundReport(once)).toEqual(once);
});

test("the report that was given keeps its precision", () => {
  const report = sampleSummary(resultsOf({ a: "p", b: "f", c: "f" }), { taskIds: ["a", "b", "c"] }).report(
    "now",
  );

  roundReport(report);

  expect(report.summary.completionRate).toBe(1 / 3);
});
