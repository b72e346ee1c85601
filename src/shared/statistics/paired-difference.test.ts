import { expect, test } from "vitest";
import { pairedDifference } from "./intervals.ts";

const difference = (values: readonly number[], seed = 0) => pairedDifference(Float64Array.from(values), seed);

test("the mean is the mean, and the interval lies around it", () => {
  const { mean, interval } = difference([-1, -1, -1, 0, 0, 0, 0, 0, 0, 0]) as {
    mean: number;
    interval: object;
  };

  expect(mean).toBe(-0.3);
  expect(interval).toEqual({ lower: -0.6, upper: 0 });
});

test("the same seed gives the same interval, another seed may not", () => {
  const values = Array.from({ length: 37 }, (_, at) => ((at * 7) % 11) / 11 - 0.5);

  expect(difference(values, 3)).toEqual(difference(values, 3));
  expect(difference(values, 3)).not.toEqual(difference(values, 4));
});

test("of nothing there is no difference, of one pair no interval", () => {
  expect(difference([])).toBeNull();
  expect(difference([-1])).toEqual({ mean: -1, interval: null });
});

test("thirds that cancel out are zero, not a trace of floating point below it", () => {
  const { mean, interval } = difference([1 / 3, 1 / 3, 1 / 3, -1]) ?? {};

  expect(mean).toBe(0);
  expect(Object.is(mean, -0)).toBe(false);
  expect(interval).toEqual({ lower: expect.any(Number), upper: expect.any(Number) });
});

test("many pairs at the true value keep it inside in about 95 of 100 cases", () => {
  let inside = 0;
  for (let seed = 0; seed < 100; seed++) {
    // Fifty pairs that break or get fixed with equal chance, drawn by a small generator of their own.
    let state = seed * 2_654_435_761 + 1;
    const values = Array.from({ length: 50 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor(state / 65_536) % 2 === 0 ? 1 : -1;
    });
    const interval = difference(values, seed)?.interval;
    if (interval && interval.lower <= 0 && interval.upper >= 0) inside++;
  }

  expect(inside).toBeGreaterThanOrEqual(88);
});
