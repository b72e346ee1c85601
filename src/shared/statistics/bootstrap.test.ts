import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrap, ratioStatistic } from "./intervals.ts";
import { seededRandom } from "./seeded-random.ts";

/** The same interval the slow way: lists of members, flattened and averaged anew for each resample. */
function slowly(clusters: readonly (readonly number[])[], seed: number): { lower: number; upper: number } {
  const random = seededRandom(seed);
  const means = Array.from({ length: 2000 }, () => {
    const members = clusters.flatMap(() => clusters[random.below(clusters.length)] as readonly number[]);
    return members.reduce((sum, member) => sum + member, 0) / members.length;
  }).sort((a, b) => a - b);
  return { lower: means[50] as number, upper: means[1949] as number };
}

function quickly(clusters: readonly (readonly number[])[], seed: number) {
  const sums = Float64Array.from(clusters, (members) => members.reduce((sum, member) => sum + member, 0));
  const sizes = Float64Array.from(clusters, (members) => members.length);
  return bootstrap(clusters.length, ratioStatistic(sums, sizes), seed);
}

test("fewer than two clusters have no interval", () => {
  expect(bootstrap(0, () => 1, 0)).toBeNull();
  expect(bootstrap(1, () => 1, 0)).toBeNull();
});

test("clusters that are all alike have an interval without width", () => {
  expect(
    quickly(
      [
        [0.25, 0.75],
        [0.75, 0.25],
        [0.5, 0.5],
      ],
      0,
    ),
  ).toEqual({ lower: 0.5, upper: 0.5 });
});

test("the bounds are the 51st and the 1950th of 2000 sorted figures", () => {
  let resample = 0;

  const bounds = bootstrap(2, () => (resample++ * 7) % 2000, 0); // 7 and 2000 share no factor: each of 0..1999 once

  expect(resample).toBe(2000);
  expect(bounds).toEqual({ lower: 50, upper: 1949 });
});

test("every resample draws as many clusters as there are, each from all of them", () => {
  const seen = new Set<number>();

  bootstrap(
    5,
    (drawn) => {
      for (const cluster of drawn) seen.add(cluster);
      return drawn.length;
    },
    0,
  );

  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
});

test("any figure of the drawn clusters will do, such as their largest", () => {
  // The largest of 3 draws from 3 is the third cluster unless all draws miss it: (2/3)³ = 30 %, so both ends are hit.
  // It is the first cluster in (1/3)³ = 3.7 % of resamples, which is more than the 2.5 % of the lower end.
  expect(bootstrap(3, (drawn) => Math.max(...drawn), 0)).toEqual({ lower: 0, upper: 2 });
});

test("two clusters of 0 and 1 give 0 to 1: each end is drawn in a quarter of the resamples", () => {
  expect(quickly([[0], [1]], 0)).toEqual({ lower: 0, upper: 1 });
});

test("the same seed gives the same interval, another seed hardly another one", () => {
  const clusters = Array.from({ length: 40 }, (_, index) => [index / 40, (index % 7) / 7]);

  expect(quickly(clusters, 5)).toEqual(quickly(clusters, 5));
  expect(quickly(clusters, 6)?.lower).toBeCloseTo(quickly(clusters, 5)?.lower ?? Number.NaN, 1);
});

test("for many clusters the interval comes near 1.96 standard errors around the mean", () => {
  const clusters = Array.from({ length: 400 }, (_, index) => [index % 2]);

  // standard error 0.5/√400 = 0.025, so 0.5 ± 0.049
  expect(Math.abs((quickly(clusters, 0)?.lower ?? 0) - 0.451)).toBeLessThan(0.006);
  expect(Math.abs((quickly(clusters, 0)?.upper ?? 0) - 0.549)).toBeLessThan(0.006);
});

test("the bounds are, on average over seeds, those of 200,000 draws of numpy", () => {
  // numpy 1.24.2: test/fixtures/statistics/comparisons.py
  const sums = Float64Array.of(3, 2, 0, 3, 1, 3, 3, 2, 3, 0, 4, 5, 1, 2, 2, 3, 0, 1, 3, 3);
  const sizes = Float64Array.of(3, 3, 2, 3, 3, 3, 3, 2, 3, 1, 5, 5, 3, 3, 2, 3, 1, 3, 3, 3);
  const seeds = Array.from({ length: 20 }, (_, seed) => seed);
  const mean = (end: "lower" | "upper") =>
    seeds
      .map((seed) => bootstrap(sums.length, ratioStatistic(sums, sizes), seed)?.[end] ?? Number.NaN)
      .reduce((sum, bound) => sum + bound / seeds.length, 0);

  expect(Math.abs(mean("lower") - 0.6274509803921569)).toBeLessThan(0.005);
  expect(Math.abs(mean("upper") - 0.8928571428571429)).toBeLessThan(0.005);
});

test("clusters stay whole: repeating every member ten times does not narrow the interval", () => {
  const single = Array.from({ length: 12 }, (_, index) => [index % 2]);
  const repeated = single.map(([member = 0]) => new Array<number>(10).fill(member));

  expect(quickly(repeated, 1)).toEqual(quickly(single, 1));
});

test("sums added up beforehand give what averaging all members anew gives", () => {
  const eighths = fc.integer({ min: 0, max: 8 }).map((count) => count / 8); // exact, so that sums agree in any order
  const clusters = fc.array(fc.array(eighths, { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 6,
  });
  fc.assert(
    fc.property(clusters, fc.integer(), (members, seed) => {
      expect(quickly(members, seed)).toEqual(slowly(members, seed));
    }),
    { numRuns: 25 },
  );
});
