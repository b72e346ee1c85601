import { expect, test } from "vitest";
import { aboveFloor, isUsable, measured, measureFloor } from "./likeness.ts";

const at = (degrees: number) =>
  measured(Float32Array.from([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]));

test("the floor is the nearest-rank 95th percentile of the best cosines, and their spread", () => {
  // The best cosine of probe n is that of n degrees; the 19th of 20 from below is that of 1 degree.
  const floor = measureFloor(
    Array.from({ length: 20 }, (_, n) => at(n)),
    [at(0), at(180)],
  );
  const cosines = Array.from({ length: 20 }, (_, n) => Math.cos((n * Math.PI) / 180));
  const sigma = Math.sqrt(cosines.reduce((sum, one) => sum + one * one, 0) / 20);

  expect(floor.lo).toBeCloseTo(Math.cos(Math.PI / 180), 6);
  expect(floor.sigma).toBeCloseTo(sigma, 6);
});

test.for([
  [0.5, 0],
  [0.4, 0],
  [0.8, 1],
  [0.95, 1],
  [0.65, 0.5],
] as const)("a cosine of %d over a floor of 0.5 with a spread of 0.1 counts %d", ([cosine, counts]) => {
  expect(aboveFloor(cosine, { lo: 0.5, sigma: 0.1 })).toBeCloseTo(counts, 12);
});

test.for([
  [0.5, 0.1, true],
  [0.5, 0, false],
  [0.5, 1e-9, false],
  [Number.NaN, 0.1, false],
  [0.5, Number.POSITIVE_INFINITY, false],
] as const)("a floor of %d with a spread of %d is usable: %j", ([lo, sigma, expected]) => {
  expect(isUsable({ lo, sigma })).toBe(expected);
});
