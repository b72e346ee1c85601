import fc from "fast-check";
import { expect, test } from "vitest";
import { signFlip, signFlipOfAny } from "./sign-flip.ts";

/** As many of one kind as of the other. */
const split = (lost: number, gained: number) => [
  ...Array<number>(lost).fill(-1),
  ...Array<number>(gained).fill(1),
];

test.each([
  [4, 0, 0.0625],
  [5, 0, 0.03125],
  [7, 1, 0.0390625],
  // statsmodels 0.13.5: mcnemar(exact=True) less the chance of the observed table (test/fixtures/statistics/comparisons.py)
  [9, 3, 0.09228515624999999],
  [25, 12, 0.03355243967962451],
])("with one trial per case it is the mid-p test of McNemar: %d lost, %d gained", (lost, gained, p) => {
  expect(signFlip(split(lost, gained), 0)).toBeCloseTo(p, 14);
});

test("cases that did not change say nothing, and a sum of 0 is no evidence at all", () => {
  expect(signFlip([...split(5, 0), 0, 0, 0], 0)).toBe(0.03125);
  expect(signFlip(split(3, 3), 0)).toBe(1);
  expect(signFlip([], 0)).toBe(1);
  expect(signFlipOfAny(Float64Array.of(1 / 3, 1 / 3, 1 / 3, -1), 0)).toBe(1);
});

test("counting ways, trying all signs, and the other direction agree", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 12 }), (units) => {
      const counted = signFlip(units, 0);
      expect(
        signFlipOfAny(
          Float64Array.from(units, (unit) => unit / 7),
          0,
        ),
      ).toBeCloseTo(counted, 12);
      expect(
        signFlip(
          units.map((unit) => -unit),
          0,
        ),
      ).toBeCloseTo(counted, 12);
      expect(counted).toBeGreaterThan(0);
      expect(counted).toBeLessThanOrEqual(1);
    }),
  );
});

test("drawn signs come close to counted ways, and the same seed draws the same", () => {
  const units = Array.from({ length: 60 }, (_, at) => ((at * 7) % 11) - 4);
  const values = Float64Array.from(units, (unit) => unit / 3);

  expect(Math.abs(signFlipOfAny(values, 1) - signFlip(units, 0))).toBeLessThan(0.01);
  expect(signFlipOfAny(values, 1)).toBe(signFlipOfAny(values, 1));
  expect(signFlipOfAny(values, 1)).not.toBe(signFlipOfAny(values, 2));
});

test("thousands of cases are counted without overflow, and within a moment", () => {
  const even = Array.from({ length: 3000 }, (_, at) => (at % 2 === 0 ? 1 : -1));
  const began = performance.now();

  // A sum of 60 among 3060 signs, to the digits that the normal curve gives.
  expect(signFlip([...even, ...Array<number>(60).fill(1)], 0)).toBeCloseTo(0.278, 2);
  expect(signFlip(Array<number>(3000).fill(1), 0)).toBeLessThan(1e-300);
  expect(performance.now() - began).toBeLessThan(3000);
});
