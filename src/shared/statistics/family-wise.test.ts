import fc from "fast-check";
import { expect, test } from "vitest";
import { aboveLine, holm } from "./family-wise.ts";

test("Holm's values are those of statsmodels", () => {
  // statsmodels 0.13.5: multipletests(p, method="holm")
  expect(holm([0.01, 0.04, 0.03, 0.005, 0.2, 0.9, 0.013])).toEqual(
    [0.06, 0.12, 0.12, 0.035, 0.4, 0.9, 0.065].map((p) => expect.closeTo(p, 12)),
  );
  expect(holm([0.5, 0.02, 0.02, 0.6])).toEqual([1, 0.08, 0.08, 1]);
});

test("one value alone is not corrected, and none gives none", () => {
  expect(holm([0.03])).toEqual([0.03]);
  expect(holm([])).toEqual([]);
});

test("the order stays, nothing shrinks or exceeds 1, and what was likelier stays likelier", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (values) => {
      const corrected = holm(values);
      for (const [at, value] of values.entries()) {
        expect(corrected[at]).toBeGreaterThanOrEqual(value);
        expect(corrected[at]).toBeLessThanOrEqual(1);
        for (const [other, second] of values.entries())
          if (value < second) expect(corrected[at]).toBeLessThanOrEqual(corrected[other] ?? 0);
      }
    }),
  );
});

test.each([
  // scipy 1.10.1: norm.sf((p − line)/√(line(1 − line)/n))
  [0.9, 0.8, 20, 0.1317762386414864],
  [0.85, 0.8, 68.886162, 0.1497581790315935],
  [1, 0.8, 16, 0.022750131948179216],
  [0.7, 0.8, 50, 0.9614500641282293],
  [0.9, 0, 5, 0],
  [1, 1, 5, 1],
])("a rate of %d over the line %d by chance, with %d effective trials: %d", (rate, line, nEff, expected) => {
  expect(aboveLine(rate, line, nEff)).toBeCloseTo(expected, 10);
});
