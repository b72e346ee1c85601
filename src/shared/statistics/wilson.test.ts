import fc from "fast-check";
import { expect, test } from "vitest";
import { wilson } from "./intervals.ts";

const z = 1.959963984540054;

/** A bound is a rate p at which the observed rate is just z standard errors away: found by halving, not by formula. */
function boundByBisection(observed: number, trials: number, inside: number, outside: number): number {
  let [near, far] = [inside, outside];
  for (let step = 0; step < 200; step++) {
    const middle = (near + far) / 2;
    if ((observed - middle) ** 2 <= (z ** 2 * middle * (1 - middle)) / trials) near = middle;
    else far = middle;
  }
  return near;
}

const tally = fc
  .integer({ min: 1, max: 5000 })
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));

test("57 of 60 gives the interval of the documented example", () => {
  const bounds = wilson(57, 60);

  expect(bounds?.lower).toBeCloseTo(0.863, 4);
  expect(bounds?.upper).toBeCloseTo(0.9829, 4);
});

test.each([
  // statsmodels 0.13.5: test/fixtures/statistics/comparisons.py
  [57, 60, 0.8629948352365147, 0.9828504978356043],
  [1, 2, 0.09453120573423068, 0.9054687942657693],
  [3, 3, 0.43850296824495444, 1],
  [0, 10, 0, 0.27753279986288926],
  [137, 200, 0.6176504391426965, 0.7453767900977151],
  [4321, 5000, 0.8544243819032877, 0.8734164239999327],
])("%i of %i lies between %d and %d, as statsmodels says", (passed, trials, lower, upper) => {
  expect(wilson(passed, trials)?.lower).toBeCloseTo(lower, 12);
  expect(wilson(passed, trials)?.upper).toBeCloseTo(upper, 12);
});

test("1 of 2 is computed by hand", () => {
  // z² = 3.841459; centre (0.5 + 3.841459/4) / (1 + 3.841459/2) = 1.460365/2.920729 = 0.5
  // reach (1.959964/2.920729) · √(0.25/2 + 3.841459/16) = 0.671053 · √0.365091 = 0.671053 · 0.604228 = 0.405469
  expect(wilson(1, 2)?.lower).toBeCloseTo(0.094531, 5);
  expect(wilson(1, 2)?.upper).toBeCloseTo(0.905469, 5);
});

test("nothing tried gives no interval", () => {
  expect(wilson(0, 0)).toBeNull();
});

test("no success has a lower bound of exactly 0, and still an upper bound that admits luck", () => {
  // upper = z²/(n + z²) = 3.841459/13.841459
  expect(wilson(0, 10)?.lower).toBe(0);
  expect(wilson(0, 10)?.upper).toBeCloseTo(0.277533, 6);
});

test("all successes have an upper bound of exactly 1, for any number of trials", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 5000 }), (trials) => wilson(trials, trials)?.upper === 1));
});

test("the bounds are where the score test turns, found by bisection", () => {
  fc.assert(
    fc.property(tally, ([successes, trials]) => {
      const observed = successes / trials;
      const bounds = wilson(successes, trials);
      expect(bounds?.lower).toBeCloseTo(boundByBisection(observed, trials, observed, 0), 9);
      expect(bounds?.upper).toBeCloseTo(boundByBisection(observed, trials, observed, 1), 9);
    }),
  );
});

test("the interval holds the rate and stays between 0 and 1", () => {
  fc.assert(
    fc.property(tally, ([successes, trials]) => {
      const { lower, upper } = wilson(successes, trials) ?? { lower: Number.NaN, upper: Number.NaN };
      return 0 <= lower && lower <= successes / trials && successes / trials <= upper && upper <= 1;
    }),
  );
});

test("failures and successes mirror each other", () => {
  fc.assert(
    fc.property(tally, ([successes, trials]) => {
      const mirrored = wilson(trials - successes, trials)?.upper ?? Number.NaN;
      expect(wilson(successes, trials)?.lower).toBeCloseTo(1 - mirrored, 12);
    }),
  );
});
