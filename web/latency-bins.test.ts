import { expect, test } from "vitest";
import { binLatencies, binPosition } from "./latency-bins.ts";

test("every latency is in one bin, the least in the first and the most in the last", () => {
  const latencies = Array.from({ length: 100 }, (_, n) => 2 ** (n / 10));

  const bins = binLatencies(latencies, 20);

  expect(bins?.counts).toHaveLength(20);
  expect(bins?.counts.reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(bins?.counts[0]).toBeGreaterThan(0);
  expect(bins?.counts[19]).toBeGreaterThan(0);
  expect(bins).toMatchObject({ fromMs: 1, toMs: 2 ** 9.9 });
});

test("equal ratios are equal distances", () => {
  expect(binPosition(10, { fromMs: 1, toMs: 100 })).toBeCloseTo(0.5);
  expect(binPosition(0.5, { fromMs: 1, toMs: 100 })).toBe(0);
  expect(binPosition(1_000, { fromMs: 1, toMs: 100 })).toBe(1);
});

test("few or equal latencies have no shape", () => {
  expect(binLatencies([1, 2, 3], 10)).toBeNull();
  expect(binLatencies(new Array(50).fill(7), 10)).toBeNull();
  expect(binLatencies(new Array(50).fill(0), 10)).toBeNull();
});
