import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "./numbers.ts";

/** The definition: the smallest measured value that at least `percent` of the values do not exceed, in whole numbers. */
function byDefinition(values: readonly number[], percent: number): number {
  const reaching = values.filter(
    (candidate) => values.filter((value) => value <= candidate).length * 100 >= percent * values.length,
  );
  return Math.min(...reaching);
}

function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

test("no values have no percentile", () => {
  expect(percentile([], 0.95)).toBeNull();
});

test("one value is every percentile", () => {
  expect([0.01, 0.5, 0.95, 0.99, 1].map((share) => percentile([7], share))).toEqual([7, 7, 7, 7, 7]);
});

test("the median of an even count is the lower of the two in the middle, never between them", () => {
  expect(percentile([10, 20, 30, 40], 0.5)).toBe(20); // ⌈0.5 · 4⌉ = 2nd
});

test("of 20 values p95 is the 19th and p99 the 20th", () => {
  expect(percentile(numbersUpTo(20), 0.95)).toBe(19); // ⌈19⌉
  expect(percentile(numbersUpTo(20), 0.99)).toBe(20); // ⌈19.8⌉
});

test("of 60 values p50, p95 and p99 are the 30th, the 57th and the 60th", () => {
  expect([0.5, 0.95, 0.99].map((share) => percentile(numbersUpTo(60), share))).toEqual([30, 57, 60]);
});

test("a share that floating point lifts by a hair keeps its rank", () => {
  expect(0.07 * 100).toBeGreaterThan(7);
  expect(percentile(numbersUpTo(100), 0.07)).toBe(7);
});

test("a typed array is read like any list", () => {
  expect(percentile(Float64Array.of(1, 2, 3), 0.5)).toBe(2);
});

test("every percentile is the smallest value that enough values do not exceed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 150 }),
      fc.integer({ min: 1, max: 100 }),
      (values, percent) => {
        const sorted = Float64Array.from(values).sort();
        expect(percentile(sorted, percent / 100)).toBe(byDefinition(values, percent));
      },
    ),
  );
});
