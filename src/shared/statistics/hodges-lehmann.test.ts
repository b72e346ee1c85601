import { expect, test } from "vitest";
import { hodgesLehmann } from "./hodges-lehmann.ts";

/** numpy 1.24.2, signed ranks counted: test/fixtures/statistics/comparisons.py. The first is the example of R's `wilcox.test`. */
test.each([
  ["R's example", [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01], [0.46, 0.01, 0.786]],
  [
    "ratios",
    [1.12, 1.31, 0.97, 1.05, 1.4, 1.22, 1.01, 1.18, 0.93, 1.27, 1.09, 1.15].map(Math.log),
    [0.12516484151057344, 0.04143473891114735, 0.21132496643113263],
  ],
  [
    "many values, by the normal curve",
    Array.from({ length: 80 }, (_, k) => Math.sin(k * 1.7) + 0.3 + k / 200),
    [0.5107270780771209, 0.36271243739828635, 0.6661267173329446],
  ],
] as const)("the estimate and its bounds: %s", (_, values, [estimate, lower, upper]) => {
  const found = hodgesLehmann(Float64Array.from(values));

  expect(found.estimate).toBeCloseTo(estimate, 12);
  expect(found.interval?.lower).toBeCloseTo(lower, 12);
  expect(found.interval?.upper).toBeCloseTo(upper, 12);
});

test("five values are too few for bounds, six are enough", () => {
  expect(hodgesLehmann(Float64Array.of(1, 2, 3, 4, 5))).toEqual({ estimate: 3, interval: null });
  expect(hodgesLehmann(Float64Array.of(1, 2, 3, 4, 5, 6)).interval).toEqual({ lower: 1, upper: 6 });
});

test("of very many values some stand for the rest", () => {
  const values = Float64Array.from({ length: 40_000 }, (_, at) => ((at * 7919) % 40_000) / 40_000);
  const began = performance.now();

  const { estimate, interval } = hodgesLehmann(values);

  expect(estimate).toBeCloseTo(0.5, 3);
  expect(interval?.lower).toBeCloseTo(0.497, 2);
  expect(performance.now() - began).toBeLessThan(5000);
});
