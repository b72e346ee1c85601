import { expect, test } from "vitest";
import { binomialTail } from "./compare-counts.ts";

test.each([
  [0, 10, 0.5, 1],
  [1, 10, 0, 0],
  [11, 10, 0.5, 0],
  [3, 10, 1, 1],
  [10, 10, 0.5, 1 / 1024],
  [1, 2, 0.25, 0.4375],
  [3, 10, 0.1, 0.0701908264],
  // scipy 1.10.1: test/fixtures/statistics/comparisons.py
  [600, 1000, 0.5, 1.364232078032988e-10],
  [4, 200, 4 ** -3, 0.3809659192292737],
  [9, 200, 4 ** -3, 0.004554343042326354],
  [1, 2, 4 ** -3, 0.031005859375],
  [12, 24, 0.1, 8.494435891056908e-7],
])("at least %i of %i at a chance of %d has the chance %d", (count, of, chance, expected) => {
  const found = binomialTail(count, of, chance);
  if (expected === 0) expect(found).toBe(0);
  else expect(found / expected).toBeCloseTo(1, 9);
});

test("thousands of things neither overflow nor vanish", () => {
  expect(binomialTail(5000, 10_000, 0.5)).toBeCloseTo(0.504, 3);
});
