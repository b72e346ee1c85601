import { describe, expect, test } from "vitest";
import {
  isMoreThanChance,
  type PairedCounts,
  testDeterminism,
  testRates,
  testValues,
} from "./paired-test.ts";

type Share = readonly [hits: number, trials: number];

const pair = ([a, of]: Share, [b, ofB]: Share): PairedCounts => ({
  a: { hits: a, trials: of },
  b: { hits: b, trials: ofB },
});

const repeat = (count: number, a: Share, b: Share) => Array.from({ length: count }, () => pair(a, b));

const fall = [...repeat(5, [1, 1], [0, 1]), ...repeat(5, [1, 1], [1, 1])];
const noisy = (
  [
    [3, 1],
    [2, 3],
    [3, 3],
    [3, 2],
    [1, 0],
    [2, 0],
    [3, 1],
    [0, 1],
  ] as const
).map(([a, b]) => pair([a, 3], [b, 3]));
const uneven = [
  pair([3, 5], [1, 3]),
  pair([5, 5], [2, 4]),
  pair([4, 5], [3, 3]),
  pair([2, 2], [1, 3]),
  pair([5, 5], [4, 5]),
  pair([1, 4], [0, 3]),
];

/** scipy 1.10.1, mpmath 1.2.1, signs enumerated with numpy: test/fixtures/statistics/comparisons.py */
test.each([
  ["a fall", fall, 0.03125, -0.5, -0.8770261937997008, -0.12297380620029913, 0.467],
  ["noise", noisy, 0.1484375, -0.25, -0.6071871210757437, 0.10718712107574369, 0.42325469367070895],
  [
    "unequal trials",
    uneven,
    0.0625,
    -0.28055555555555556,
    -0.5903744934582158,
    0.02926338234710474,
    0.33771057274601946,
  ],
] as const)("the figures of %s are those of scipy", (_, cases, p, mean, lower, upper, detectable) => {
  const test = testRates(cases, 0);

  expect(test.p).toBeCloseTo(p, 12);
  expect(test.mean).toBeCloseTo(mean, 12);
  expect(test.interval?.lower).toBeCloseTo(lower, 12);
  expect(test.interval?.upper).toBeCloseTo(upper, 12);
  expect(test.detectable).toBeCloseTo(detectable, 12);
});

describe("a difference counts", () => {
  test("only where the test and the interval agree, in the direction of the mean", () => {
    expect(testRates(fall, 0).direction).toBe(-1);
    expect(testRates(repeat(4, [1, 1], [0, 1]), 0)).toMatchObject({ p: 0.0625, direction: 0 });
    expect(testRates(noisy, 0).direction).toBe(0);
    expect(
      testValues(
        Float64Array.from({ length: 20 }, (_, at) => 0.1 + at / 100),
        0,
      ).direction,
    ).toBe(1);
  });

  test("never against chance that cancels out: thirds leave no trace in floating point", () => {
    const cases = [...repeat(3, [2, 3], [3, 3]), pair([3, 3], [0, 3])];

    expect(testRates(cases, 0)).toMatchObject({ mean: 0, p: 1, direction: 0 });
  });
});

describe("cases that are all alike", () => {
  test("leave room for what so few could not show", () => {
    const same = testRates(repeat(20, [3, 3], [3, 3]), 0);

    expect(same.detectable).toBeCloseTo(0.16843, 4);
    expect(same.interval).toEqual({ lower: -same.detectable, upper: same.detectable });
    expect(testRates(repeat(5, [1, 1], [0, 1]), 0).interval).toEqual({
      lower: -1,
      upper: expect.closeTo(-0.4782, 4),
    });
  });

  test("are alike to the last digit, although 2/3 − 1/3 is not quite 1 − 2/3", () => {
    const third = repeat(3, [1, 3], [2, 3]);

    const found = testRates([...third, ...repeat(3, [2, 3], [3, 3])], 0);

    expect(found.detectable).toBe(testRates([...third, ...third], 0).detectable);
    expect(found).toMatchObject({ direction: 0, interval: { lower: expect.closeTo(-0.1259, 4) } });
  });

  test("and ratios that are all alike are certain: no share of the cases is meant", () => {
    const dearer = testValues(new Float64Array(8).fill(Math.log(1.1)), 0);

    expect(dearer.direction).toBe(1);
    expect(dearer.interval?.lower).toBeCloseTo(Math.log(1.1), 12);
  });

  test("of one case there is no interval", () => {
    expect(testRates(repeat(1, [3, 3], [0, 3]), 0)).toMatchObject({ mean: -1, interval: null, direction: 0 });
  });
});

describe("where nothing is ever mixed", () => {
  test("one case that turned is evidence from three trials on", () => {
    const broken = [pair([3, 3], [0, 3]), ...repeat(9, [3, 3], [3, 3])];

    expect(testDeterminism(broken, 3)).toEqual({ direction: -1, p: 2 / 64 });
    expect(testDeterminism([...broken, pair([5, 5], [0, 5])], 3)).toEqual({ direction: -1, p: 2 / 4096 });
    expect(testDeterminism(broken, 2)).toBeNull();
    expect(testDeterminism([pair([0, 1], [1, 1])], Number.POSITIVE_INFINITY)).toEqual({ direction: 1, p: 0 });
  });

  test("it is none where one case is mixed on either side, or cases turned both ways, or none did", () => {
    const broken = pair([3, 3], [0, 3]);

    expect(testDeterminism([broken, pair([2, 3], [3, 3])], 3)).toBeNull();
    expect(testDeterminism([broken, pair([3, 3], [2, 3])], 3)).toBeNull();
    expect(testDeterminism([broken, pair([0, 3], [3, 3])], 3)).toBeNull();
    expect(testDeterminism([pair([3, 3], [3, 3])], 3)).toBeNull();
  });
});

test("how many cases chance turns grows with their number", () => {
  expect(isMoreThanChance(1, 1, 3)).toBe(true);
  expect(isMoreThanChance(1, 2, 3)).toBe(false);
  expect(isMoreThanChance(4, 200, 3)).toBe(false);
  expect(isMoreThanChance(9, 200, 3)).toBe(true);
  expect(isMoreThanChance(0, 200, 3)).toBe(false);
});
