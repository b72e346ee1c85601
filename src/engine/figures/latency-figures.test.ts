import fc from "fast-check";
import { expect, test } from "vitest";
import { makeCases, sampleScoring, sampleSummary } from "../../../test/builders/sample-summary.ts";
import type { CellResult } from "../../contract/result.ts";
import { sampleResult } from "../../store/samples.ts";
import { cpuBurns } from "./latency-figures.ts";

const burn = { status: "error", cause: "cpu-limit", reason: "used 1 s of CPU" } as const;

function numbered(cells: readonly Partial<CellResult>[]): CellResult[] {
  return cells.map((cell, index) => sampleResult({ ...cell, caseId: `t${index}` }));
}

function latencyOf(cells: readonly Partial<CellResult>[], maxLatencyMs = 30_000) {
  const cases = makeCases(cells.map((_, index) => `t${index}`));
  const benchmark = sampleScoring({ maxLatencyMs });
  const { p95Ms, p99Ms, ...latency } = sampleSummary(numbered(cells), { cases, scoring: benchmark }).figures()
    .latency;
  return { ...latency, p95Ms: p95Ms.value, p99Ms: p99Ms.value };
}

test("percentiles are over all counted cells, failures and timeouts included, invalid ones left out", () => {
  const latency = latencyOf([
    { latencyMs: 30 },
    { latencyMs: 10, status: "fail" },
    { latencyMs: 20, status: "error" },
    { latencyMs: 5000, status: "timeout" },
    { latencyMs: 9999, status: "invalid" },
  ]);

  // sorted 10 20 30 5000: p50 ⌈2⌉ = 2nd, p95 ⌈3.8⌉ and p99 ⌈3.96⌉ = 4th
  expect(latency).toEqual({
    p50Ms: 20,
    p95Ms: 5000,
    p99Ms: 5000,
    latP95Norm: 5000 / 30_000,
    maxLatencyMs: 30_000,
  });
});

test("from 100 trials on p95 has the order statistics around it, from 500 on p99", () => {
  const figures = (count: number) => {
    const cells = Array.from({ length: count }, (_, at) => ({ latencyMs: at + 1 }));
    return sampleSummary(numbered(cells), { cases: makeCases(cells.map((_, at) => `t${at}`)) }).figures()
      .latency;
  };
  // ranks of scipy 1.10.1: binom.ppf(0.025, n, q) and binom.ppf(0.975, n, q) + 1
  expect(figures(99).p95Ms).toEqual({ value: 95, interval: null, n: 99 });
  expect(figures(100).p95Ms.interval).toMatchObject({ lower: 90, upper: 100, method: "order-statistics" });
  expect(figures(250).p95Ms.interval).toMatchObject({ lower: 230, upper: 245, estimates: "this-suite" });
  expect(figures(499).p99Ms.interval).toBeNull();
  expect(figures(500).p99Ms.interval).toMatchObject({ lower: 490, upper: 500, cases: 500, trials: 500 });
});

test("a p95 beyond the benchmark's maximum counts as the maximum", () => {
  expect(latencyOf([{ latencyMs: 900 }], 300).latP95Norm).toBe(1);
});

test("a skill that never answers has the worst latency, however quickly it fails", () => {
  expect(latencyOf([{ latencyMs: 1, status: "error" }]).latP95Norm).toBe(1);
});

test("one wrong answer is an answer", () => {
  expect(latencyOf([{ latencyMs: 300, status: "fail" }]).latP95Norm).toBe(0.01);
});

test("a latency measured beside a CPU burner is left out and counted", () => {
  const latency = latencyOf([
    { beganAtMs: 1000, latencyMs: 1000, ...burn },
    { beganAtMs: 1500, latencyMs: 7000 },
    { beganAtMs: 500, latencyMs: 600 },
    { beganAtMs: 9000, latencyMs: 50 },
  ]);

  // left: 1000 (the burner's own) and 50
  expect(latency).toMatchObject({ p50Ms: 50, p95Ms: 1000, disturbed: 2 });
});

test("rates keep the disturbed cells", () => {
  const cells = [
    { beganAtMs: 0, latencyMs: 1000, ...burn },
    { beganAtMs: 0, latencyMs: 2000 },
  ];
  const report = sampleSummary(numbered(cells), { cases: makeCases(["t0", "t1"]) }).figures();

  expect(report.counts.total).toBe(2);
  expect(report.summary.completionRate.value).toBe(0.5);
  expect(report.latency).toMatchObject({ p95Ms: { value: 1000 }, disturbed: 1 });
});

test("without a burner no disturbance is reported", () => {
  expect(latencyOf([{ beganAtMs: 0 }, { beganAtMs: 0 }])).not.toHaveProperty("disturbed");
});

test("cells that ran one after the other do not disturb each other, though begins are cut to whole milliseconds", () => {
  // really 1000.0 to 1050.9, then from 1050.95, which the wall clock reads as 1050
  const latency = latencyOf([
    { beganAtMs: 1000, latencyMs: 50.9, ...burn },
    { beganAtMs: 1050, latencyMs: 20 },
    { beganAtMs: 980, latencyMs: 20.5 },
  ]);

  expect(latency).not.toHaveProperty("disturbed");
});

test("if every latency were left out, all are used", () => {
  const latency = latencyOf([
    { beganAtMs: 0, latencyMs: 1000, ...burn },
    { beganAtMs: 100, latencyMs: 1200, ...burn },
  ]);

  expect(latency).toMatchObject({ p50Ms: 1000, p95Ms: 1200 });
  expect(latency).not.toHaveProperty("disturbed");
});

test("a burner of one skill disturbs the cells of another that ran beside it, in whichever order they are added", () => {
  const burns = cpuBurns();
  const calm = [sampleResult({ latencyMs: 40, beganAtMs: 9000 })];
  const slowed = sampleResult({ caseId: "b", latencyMs: 4000, beganAtMs: 500 });
  const victim = sampleSummary([...calm, slowed], { burns });
  sampleSummary([sampleResult({ beganAtMs: 0, latencyMs: 1000, ...burn })], { burns });

  expect(victim.figures().latency).toMatchObject({ p95Ms: { value: 40 }, disturbed: 1 });
});

test("the neighbours found are those that comparing every pair finds", () => {
  const cell = fc.record({
    beganAtMs: fc.integer({ min: 0, max: 300 }),
    latencyMs: fc.integer({ min: 0, max: 60 }),
    isBurn: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 30 }), (cells) => {
      const burns = cpuBurns();
      for (const { beganAtMs, latencyMs, isBurn } of cells) if (isBurn) burns.add(beganAtMs, latencyMs);
      const isDisturbed = cells.map((one) =>
        cells.some((other) => {
          const [from, to] = [other.beganAtMs + 1, other.beganAtMs + other.latencyMs - 1];
          return (
            other !== one &&
            other.isBurn &&
            from < to &&
            from < one.beganAtMs + one.latencyMs &&
            to > one.beganAtMs
          );
        }),
      );
      expect(cells.map(burns.neighbours())).toEqual(isDisturbed);
    }),
  );
});
