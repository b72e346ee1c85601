import { expect, test } from "vitest";
import { binomialQuantile, normalTail, t95 } from "./distributions.ts";

// Computed once with scipy 1.10.1 and mpmath 1.2.1: test/fixtures/statistics/case-intervals.py

test.each([
  [0, 0.5],
  [0.1, 0.460172162722971],
  [0.5, 0.3085375387259869],
  [1, 0.15865525393145707],
  [1.5, 0.06680720126885807],
  [1.999999, 0.0227501859391997],
  [2, 0.022750131948179195],
  [2.5, 0.006209665325776132],
  [3, 0.0013498980316300933],
  [5, 2.866515718791933e-7],
  [8, 6.22096057427174e-16],
  [20, 2.7536241186061556e-89],
  [-1, 0.8413447460685429],
  [-3, 0.9986501019683699],
])("above %d lies %d of the normal distribution", (z, expected) => {
  expect(normalTail(z) / expected).toBeCloseTo(1, 11);
});

test.each([
  [1, 12.706204736174705],
  [2, 4.302652729749464],
  [3, 3.1824463052837095],
  [4, 2.7764451051977943],
  [5, 2.5705818356363155],
  [9, 2.2621571627982053],
  [19, 2.0930240544083096],
  [20, 2.085963447265865],
  [49, 2.0095752371292397],
  [99, 1.9842169515864174],
  [199, 1.971956544251754],
  [998, 1.9623438462163347],
  [999, 1.96234146113345],
  [1000, 1.9623390808264085],
  [1999, 1.961151420170562],
  [100_000, 1.9599877075346097],
])("with %i degrees of freedom Student's t is within %d in 95 of 100 cases", (freedom, expected) => {
  expect(t95(freedom) / expected).toBeCloseTo(1, 12);
});

test.each([
  [100, 0.95, 90, 99],
  [250, 0.95, 230, 244],
  [1000, 0.95, 936, 963],
  [500, 0.99, 490, 499],
  [2000, 0.99, 1971, 1988],
  [100_000, 0.95, 94_864, 95_135],
])("of %i with a chance of %d, 95 of 100 draws lie from %i to %i", (of, chance, lower, upper) => {
  expect(binomialQuantile(0.025, of, chance)).toBe(lower);
  expect(binomialQuantile(0.975, of, chance)).toBe(upper);
});
