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
  return sampleSummary(numbered(cells), { cases, scoring: benchmark }).figures().latency;
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
  expect(report.summary.completionRate).toBe(0.5);
  expect(report.latency).toMatchObject({ p95Ms: 1000, disturbed: 1 });
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

  expect(victim.figures().latency).toMatchObject({ p95Ms: 40, disturbed: 1 });
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
