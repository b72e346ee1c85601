import { expect, test } from "vitest";
import { measured, unknownSkill } from "../../../test/measured-skill.ts";
import { mergeReports } from "./merge-reports.ts";

const cost = { promptTokens: 10, completionTokens: 5, totalTokens: 15, estimatedUSD: 0.25 };

function report(benchmarkId: string, completionRate: number, more: object = {}) {
  return measured({ benchmarkId, ...more }, { completionRate });
}

test("per skill and benchmark the newest timestamp wins, whatever the order of the files", () => {
  const old = report("a", 0.2, { timestamp: "2026-03-01T09:00:00.000Z" });
  const young = report("a", 0.9, { timestamp: "2026-03-01T09:30:00.000Z" });
  // Half past eight in London, though the text sorts last.
  const elsewhere = report("a", 0.1, { timestamp: "2026-03-01T10:30:00.000+02:00" });
  const timeless = report("a", 0, { timestamp: "" });

  for (const reports of [
    [old, young, elsewhere, timeless],
    [timeless, elsewhere, young, old],
  ]) {
    expect(mergeReports(reports).get("my_calc")).toMatchObject({
      metrics: { completionRate: 0.9 },
      newest: [{ timestamp: "2026-03-01T09:30:00.000Z" }],
    });
  }
});

test("over benchmarks rates are averaged, the largest p95 counts and tokens are added up", () => {
  const worse = { completionRate: 0.5, errorRate: 0.5, compositeScore: 0.4 };
  const merged = mergeReports([
    measured({ benchmarkId: "a", tokenCost: cost }),
    measured({ benchmarkId: "b", latency: { p95Ms: 900 }, tokenCost: cost }, worse),
  ]);

  const { metrics } = merged.get("my_calc") ?? {};
  expect(metrics?.completionRate).toBeCloseTo(0.725, 10);
  expect(metrics?.errorRate).toBeCloseTo(0.25835, 10);
  expect(metrics?.compositeScore).toBeCloseTo(0.68365, 10);
  expect(metrics).toMatchObject({
    latencyP95Ms: 900,
    tokenCost: { promptTokens: 20, completionTokens: 10, totalTokens: 30, estimatedUSD: 0.5 },
  });
});

test("a price that is known for one benchmark only is not a price", () => {
  const unpriced = { ...cost, estimatedUSD: null };
  const merged = mergeReports([
    measured({ benchmarkId: "a", tokenCost: cost }),
    measured({ benchmarkId: "b", tokenCost: unpriced }),
  ]);

  expect(merged.get("my_calc")?.metrics.tokenCost).toEqual({
    promptTokens: 20,
    completionTokens: 10,
    totalTokens: 30,
    estimatedUSD: null,
  });
});

test("a benchmark without a verdict neither helps nor harms, and without any there is nothing to know", () => {
  const known = measured({ skillId: "x", benchmarkId: "a" });
  const unknown = { ...unknownSkill("x"), benchmarkId: "b" };

  expect(mergeReports([known, unknown]).get("x")?.metrics).toMatchObject({
    completionRate: 0.95,
    latencyP95Ms: 412,
  });
  expect(mergeReports([unknown]).get("x")?.metrics).toEqual({
    completionRate: null,
    errorRate: null,
    latencyP95Ms: null,
    compositeScore: null,
    tokenCost: null,
  });
});
