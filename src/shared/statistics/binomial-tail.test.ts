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
  [600, 1000, 0.5, 1.364232e-10],
])("at least %i of %i at a chance of %d has the chance %d", (count, of, chance, expected) => {
  expect(binomialTail(count, of, chance)).toBeCloseTo(expected, 9);
});

test("thousands of things neither overflow nor vanish", () => {
  expect(binomialTail(5000, 10_000, 0.5)).toBeCloseTo(0.504, 3);
});
