import fc from "fast-check";
import { expect, test } from "vitest";
import { passAtK, passCurves, passHatK } from "./pass-at-k.ts";

/** Draws every possible set of k trials and looks: the first `passed` of them are the ones that passed. */
function byEnumeration(trials: number, passed: number, k: number): { any: number; all: number } {
  let sets = 0;
  let any = 0;
  let all = 0;
  for (let set = 0; set < 2 ** trials; set++) {
    const drawn = Array.from({ length: trials }, (_, trial) => trial).filter((trial) => (set >> trial) & 1);
    if (drawn.length !== k) continue;
    sets++;
    if (drawn.some((trial) => trial < passed)) any++;
    if (drawn.every((trial) => trial < passed)) all++;
  }
  return { any: any / sets, all: all / sets };
}

/** C(n,k) in whole numbers of any size. */
function choose(n: number, k: number): bigint {
  let product = 1n;
  for (let step = 0; step < k; step++) product = (product * BigInt(n - step)) / BigInt(step + 1);
  return product;
}

/** A quotient of huge whole numbers, exact to 17 digits after the point. */
function quotient(part: bigint, whole: bigint): number {
  return Number((part * 10n ** 17n) / whole) / 1e17;
}

const drawing = (max: number) =>
  fc
    .integer({ min: 1, max: max })
    .chain((trials) =>
      fc.tuple(fc.constant(trials), fc.integer({ min: 0, max: trials }), fc.integer({ min: 1, max: trials })),
    );

test("one of three passed: two tries see a pass in two of three draws, and never two passes", () => {
  expect(passAtK(3, 1, 2)).toBeCloseTo(2 / 3, 15); // 1 − C(2,2)/C(3,2) = 1 − 1/3
  expect(passHatK(3, 1, 2)).toBe(0); // C(1,2) = 0
});

test("two of three passed: two tries always see a pass, and only passes in one of three draws", () => {
  expect(passAtK(3, 2, 2)).toBe(1); // C(1,2) = 0
  expect(passHatK(3, 2, 2)).toBeCloseTo(1 / 3, 15); // C(2,2)/C(3,2)
});

test("3 of 10 with k 5 is computed by hand", () => {
  expect(passAtK(10, 3, 5)).toBeCloseTo(11 / 12, 14); // 1 − C(7,5)/C(10,5) = 1 − 21/252
  expect(passHatK(10, 7, 5)).toBeCloseTo(1 / 12, 14); // C(7,5)/C(10,5)
});

test("nothing passed gives exactly 0, everything passed exactly 1", () => {
  fc.assert(
    fc.property(drawing(1000), ([trials, , k]) => {
      expect([passAtK(trials, 0, k), passHatK(trials, 0, k)]).toEqual([0, 0]);
      expect([passAtK(trials, trials, k), passHatK(trials, trials, k)]).toEqual([1, 1]);
    }),
  );
});

test("both agree with drawing every set of k trials", () => {
  fc.assert(
    fc.property(drawing(9), ([trials, passed, k]) => {
      const { any, all } = byEnumeration(trials, passed, k);
      expect(passAtK(trials, passed, k)).toBeCloseTo(any, 12);
      expect(passHatK(trials, passed, k)).toBeCloseTo(all, 12);
    }),
  );
});

test("both stay exact up to 1000 trials, compared with whole numbers of 300 digits", () => {
  fc.assert(
    fc.property(drawing(1000), ([trials, passed, k]) => {
      const sets = choose(trials, k);
      expect(passAtK(trials, passed, k)).toBeCloseTo(1 - quotient(choose(trials - passed, k), sets), 11);
      expect(passHatK(trials, passed, k)).toBeCloseTo(quotient(choose(passed, k), sets), 11);
    }),
  );
});

test("with k 1 both are the plain rate", () => {
  fc.assert(
    fc.property(drawing(1000), ([trials, passed]) => {
      expect(passAtK(trials, passed, 1)).toBeCloseTo(passed / trials, 12);
      expect(passHatK(trials, passed, 1)).toBe(passed / trials);
    }),
  );
});

test("more tries never lower the chance of one pass, nor raise the chance of only passes", () => {
  fc.assert(
    fc.property(drawing(200), ([trials, passed]) => {
      const { atK, hatK } = passCurves(trials, passed);
      const isRising = atK.every((value, index) => value >= (atK[index - 1] ?? 0));
      const isFalling = hatK.every((value, index) => value <= (hatK[index - 1] ?? 1));
      return isRising && isFalling;
    }),
  );
});

test("the curves say at every k what the single figures say", () => {
  fc.assert(
    fc.property(drawing(60), ([trials, passed]) => {
      const everyK = Array.from({ length: trials }, (_, index) => index + 1);
      const { atK, hatK } = passCurves(trials, passed);
      expect([...atK]).toEqual(everyK.map((k) => passAtK(trials, passed, k)));
      expect([...hatK]).toEqual(everyK.map((k) => passHatK(trials, passed, k)));
    }),
  );
});

test("no trials have empty curves", () => {
  expect(passCurves(0, 0).atK).toHaveLength(0);
});
