import fc from "fast-check";
import { expect, test } from "vitest";
import { caseInterval } from "./case-interval.ts";
import { wilson } from "./intervals.ts";

const repeat = (times: number, ...values: number[]) => Array.from({ length: times }, () => values).flat();

// Computed once with numpy, mpmath and statsmodels: test/fixtures/statistics/case-intervals.py
test.each([
  {
    name: "9 cases × 3, five all pass, four none",
    passed: [...repeat(5, 3), ...repeat(4, 0)],
    trials: repeat(9, 3),
    nEff: 9,
    lower: 0.266651293495493,
    upper: 0.811221478902336,
  },
  {
    name: "20 × 3: eighteen 3, one 2, one 1",
    passed: [...repeat(18, 3), 2, 1],
    trials: repeat(20, 3),
    nEff: 22.156846512865,
    lower: 0.776552923341275,
    upper: 0.990464834383035,
  },
  {
    name: "20 × 3: ten 3, five 2, three 1, two 0",
    passed: [...repeat(10, 3), ...repeat(5, 2), ...repeat(3, 1), 0, 0],
    trials: repeat(20, 3),
    nEff: 27.115264433585,
    lower: 0.528782398998287,
    upper: 0.850778054629374,
  },
  {
    name: "50 × 5: thirty 5, ten 4, five 2, five 0",
    passed: [...repeat(30, 5), ...repeat(10, 4), ...repeat(5, 2), ...repeat(5, 0)],
    trials: repeat(50, 5),
    nEff: 68.886161728844,
    lower: 0.690868138201035,
    upper: 0.877439978096452,
  },
  {
    name: "2 × 10, all pass",
    passed: [10, 10],
    trials: [10, 10],
    nEff: 2,
    lower: 0.342380227506653,
    upper: 1,
  },
  {
    name: "10 cases with 1 to 3 trials",
    passed: [3, 2, 0, 3, 1, 3, 3, 2, 3, 0],
    trials: [3, 3, 2, 3, 3, 3, 3, 2, 3, 1],
    nEff: 10,
    lower: 0.460311102294757,
    upper: 0.928709697779072,
  },
  {
    name: "40 × 10: twenty 10, eight 9, six 7, four 3, two 0",
    passed: [...repeat(20, 10), ...repeat(8, 9), ...repeat(6, 7), ...repeat(4, 3), 0, 0],
    trials: repeat(40, 10),
    nEff: 63.173706142911,
    lower: 0.702239765258114,
    upper: 0.891647228702855,
  },
])("$name", ({ passed, trials, nEff, lower, upper }) => {
  const found = caseInterval({ passed, trials });

  expect(found?.nEff).toBeCloseTo(nEff, 10);
  expect(found?.lower).toBeCloseTo(lower, 12);
  expect(found?.upper).toBeCloseTo(upper, 12);
  expect(found?.cases).toBe(trials.length);
  expect(found?.trials).toBe(trials.reduce((sum, count) => sum + count, 0));
});

test("nothing tried has no interval, and cases without a trial do not count", () => {
  expect(caseInterval({ passed: [], trials: [] })).toBeNull();
  expect(caseInterval({ passed: [0, 0], trials: [0, 0] })).toBeNull();
  expect(caseInterval({ passed: [0, 2, 1], trials: [0, 2, 3] })).toEqual(
    caseInterval({ passed: [2, 1], trials: [2, 3] }),
  );
});

test("one case is worth one trial, however often it is tried", () => {
  expect(caseInterval({ passed: [70], trials: [100] })).toMatchObject({ nEff: 1, cases: 1, trials: 100 });
});

const anyTallies = fc.array(
  fc.integer({ min: 1, max: 10 }).chain((m) => fc.tuple(fc.integer({ min: 0, max: m }), fc.constant(m))),
  { minLength: 1, maxLength: 60 },
);

test("with one trial per case it is plain Wilson", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 80 }), (passed) => {
      const sum = passed.reduce((total, one) => total + one, 0);
      const found = caseInterval({ passed, trials: passed.map(() => 1) });
      expect(found).toMatchObject(wilson(sum, passed.length) ?? {});
    }),
  );
});

test("a deterministic skill has the same interval at 1, 3 and 10 runs", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (passes) => {
      const at = (runs: number) =>
        caseInterval({ passed: passes.map((pass) => (pass ? runs : 0)), trials: passes.map(() => runs) });
      for (const runs of [3, 10]) {
        expect(at(runs)?.lower).toBeCloseTo(at(1)?.lower ?? Number.NaN, 12);
        expect(at(runs)?.upper).toBeCloseTo(at(1)?.upper ?? Number.NaN, 12);
      }
    }),
  );
});

test("it is never wider than Wilson over the cases, never narrower than Wilson over the trials", () => {
  fc.assert(
    fc.property(anyTallies, (tallies) => {
      const [passed, trials] = [tallies.map(([x]) => x), tallies.map(([, m]) => m)];
      const found = caseInterval({ passed, trials });
      const n = trials.reduce((sum, m) => sum + m, 0);
      const rate = passed.reduce((sum, x) => sum + x, 0) / n;
      const width = (bounds: { lower: number; upper: number } | null) =>
        (bounds?.upper ?? Number.NaN) - (bounds?.lower ?? Number.NaN);
      expect(width(found)).toBeLessThanOrEqual(width(wilson(rate * trials.length, trials.length)) + 1e-12);
      expect(width(found)).toBeGreaterThanOrEqual(width(wilson(rate * n, n)) - 1e-12);
    }),
  );
});

test("weights that are all the same change nothing", () => {
  fc.assert(
    fc.property(anyTallies, fc.integer({ min: 2, max: 9 }), (tallies, weight) => {
      const [passed, trials] = [tallies.map(([x]) => x), tallies.map(([, m]) => m)];
      const plain = caseInterval({ passed, trials });
      const weighted = caseInterval({ passed, trials, weights: trials.map(() => weight) });
      expect(weighted?.lower).toBeCloseTo(plain?.lower ?? Number.NaN, 10);
      expect(weighted?.upper).toBeCloseTo(plain?.upper ?? Number.NaN, 10);
    }),
  );
});

test("cases that weigh more leave fewer effective ones: (Σw)²/Σw²", () => {
  const found = caseInterval({ passed: [1, 0, 1], trials: [1, 1, 1], weights: [4, 1, 1] });

  expect(found?.nEff).toBeCloseTo(36 / 18, 12);
  expect(found).toMatchObject({ cases: 3, trials: 3 });
});

test("scores between 0 and 1 are never a point: 3 of 3 is 43.9 to 100", () => {
  const found = caseInterval({ passed: [1, 1, 1], trials: [1, 1, 1] });

  expect(found?.lower).toBeCloseTo(0.438503, 6);
  expect(found?.upper).toBe(1);
});
