import fc from "fast-check";
import { expect, test } from "vitest";
import { cohensKappa } from "./compare-counts.ts";

test.each([
  // the example of the textbooks: pₒ = 0.7, pₑ = 0.5
  { bothYes: 20, bothNo: 15, onlyFirst: 5, onlySecond: 10, kappa: 0.4 },
  // statsmodels 0.13.5: test/fixtures/statistics/comparisons.py
  { bothYes: 45, bothNo: 15, onlyFirst: 15, onlySecond: 25, kappa: 0.13043478260869554 },
  { bothYes: 118, bothNo: 3, onlyFirst: 5, onlySecond: 16, kappa: 0.15524079320113288 },
  { bothYes: 7, bothNo: 9, onlyFirst: 11, onlySecond: 13, kappa: -0.2 },
  { bothYes: 15, bothNo: 15, onlyFirst: 0, onlySecond: 0, kappa: 1 },
  { bothYes: 0, bothNo: 0, onlyFirst: 10, onlySecond: 10, kappa: -1 },
  { bothYes: 15, bothNo: 0, onlyFirst: 15, onlySecond: 0, kappa: 0 },
  { bothYes: 30, bothNo: 0, onlyFirst: 0, onlySecond: 0, kappa: null },
  { bothYes: 0, bothNo: 30, onlyFirst: 0, onlySecond: 0, kappa: null },
  { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0, kappa: null },
])("$bothYes yes, $bothNo no, $onlyFirst and $onlySecond apart: $kappa", ({ kappa, ...readings }) => {
  if (kappa === null) expect(cohensKappa(readings)).toBeNull();
  else expect(cohensKappa(readings)).toBeCloseTo(kappa, 14);
});

test("it lies between -1 and 1, and does not care who is the first reader", () => {
  const count = fc.integer({ min: 0, max: 50 });
  fc.assert(
    fc.property(count, count, count, count, (bothYes, bothNo, onlyFirst, onlySecond) => {
      const kappa = cohensKappa({ bothYes, bothNo, onlyFirst, onlySecond });

      expect(cohensKappa({ bothYes, bothNo, onlyFirst: onlySecond, onlySecond: onlyFirst })).toBe(kappa);
      if (kappa !== null) expect(Math.abs(kappa)).toBeLessThanOrEqual(1);
    }),
  );
});
