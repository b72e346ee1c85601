import fc from "fast-check";
import { expect, test } from "vitest";
import { spread } from "./numbers.ts";

test("the spread of 2, 4, 4, 4, 5, 5, 7, 9 is 2", () => {
  // mean 5; squares 9+1+1+1+0+0+4+16 = 32; √(32/8) = 2
  expect(spread([2, 4, 4, 4, 5, 5, 7, 9])).toBe(2);
});

test("it is that of the population: two values lie half their distance from the mean", () => {
  expect(spread([0, 1])).toBe(0.5);
});

test("values that are all the same have none", () => {
  expect(spread([0.5, 0.5, 0.5])).toBe(0);
});

test("no values have no spread at all, which is not 0", () => {
  expect(spread([])).toBeNull();
});

test("its square is the mean square distance over all pairs, halved", () => {
  const rates = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(rates, (values) => {
      const squares = values.flatMap((a) => values.map((b) => (a - b) ** 2));
      const halfMean = squares.reduce((sum, square) => sum + square, 0) / squares.length / 2;
      expect((spread(values) ?? Number.NaN) ** 2).toBeCloseTo(halfMean, 6);
    }),
  );
});
