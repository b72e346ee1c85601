import fc from "fast-check";
import { expect, test } from "vitest";
import type { QuerySide } from "../../../contract/triggering.ts";
import { baselines, type Matrix, triggerMetrics } from "./trigger-metrics.ts";

function matrix(tp: number, fp: number, tn: number, fn: number, ties = 0): Matrix {
  return { tp, fp, tn, fn, ties, asked: tp + fp + tn + fn + ties };
}

test("the figures of a matrix", () => {
  expect(triggerMetrics(matrix(9, 2, 8, 1))).toMatchObject({
    precision: 9 / 11,
    recall: 0.9,
    specificity: 0.8,
    f1: 18 / 21,
    accuracy: 0.85,
    balancedAccuracy: expect.closeTo(0.85, 12),
    mcc: expect.closeTo(70 / Math.sqrt(11 * 10 * 10 * 9), 12),
    coverage: 1,
    intervals: { recall: { lower: expect.closeTo(0.596, 3), upper: expect.closeTo(0.982, 3) } },
  });
});

test.each<[string, Matrix, object]>([
  [
    "nothing asked",
    matrix(0, 0, 0, 0),
    { precision: null, recall: null, f1: null, accuracy: null, coverage: null },
  ],
  ["never a yes", matrix(0, 0, 8, 8), { precision: null, recall: 0, specificity: 1, f1: 0, mcc: null }],
  ["always a yes", matrix(8, 8, 0, 0), { precision: 0.5, recall: 1, specificity: 0, mcc: null }],
  ["one side alone", matrix(8, 0, 0, 0), { recall: 1, specificity: null, balancedAccuracy: null, mcc: null }],
  ["no answer at all", { ...matrix(0, 0, 0, 0), asked: 5 }, { recall: null, coverage: 0 }],
  ["ties", matrix(4, 0, 4, 0, 2), { ties: 2, coverage: 0.8, mcc: 1 }],
])("what is 0/0 is undefined, never 0 or 1: %s", (_, given, figures) => {
  expect(triggerMetrics(given)).toMatchObject(figures);
});

test("MCC is bounded by what recall and specificity may be: 8 of 8 on both sides is not certain", () => {
  const { mcc, intervals } = triggerMetrics(matrix(8, 0, 8, 0));

  expect(mcc).toBe(1);
  expect(intervals.mcc).toMatchObject({ lower: expect.closeTo(0.351, 3), upper: 1, cases: 16 });
});

const count = fc.integer({ min: 0, max: 60_000 });

test("they are what a naive reading of the formulas gives, in their bounds", () => {
  fc.assert(
    fc.property(count, count, count, count, (tp, fp, tn, fn) => {
      const found = triggerMetrics(matrix(tp, fp, tn, fn));
      const naive = (part: number, all: number) => (all > 0 ? expect.closeTo(part / all, 9) : null);
      const factors = [tp + fp, tp + fn, tn + fp, tn + fn];
      const product = factors.reduce((all, factor) => all * BigInt(factor), 1n);

      expect(found).toMatchObject({
        precision: naive(tp, tp + fp),
        recall: naive(tp, tp + fn),
        specificity: naive(tn, tn + fp),
        f1: naive(2 * tp, 2 * tp + fp + fn),
        accuracy: naive(tp + tn, tp + fp + tn + fn),
        mcc: naive(tp * tn - fp * fn, Math.sqrt(Number(product))),
      });
      const { mcc, intervals } = found;
      if (mcc === null) expect(intervals.mcc).toBeNull();
      else {
        expect(Math.abs(mcc)).toBeLessThanOrEqual(1);
        expect(intervals.mcc?.lower).toBeLessThanOrEqual(mcc + 1e-9);
        expect(intervals.mcc?.upper).toBeGreaterThanOrEqual(mcc - 1e-9);
      }
    }),
  );
});

test("a perfect matrix has an MCC of exactly 1, its opposite exactly -1, however large", () => {
  const some = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(some, some, (positives, negatives) => {
      expect(triggerMetrics(matrix(positives, 0, negatives, 0)).mcc).toBe(1);
      expect(triggerMetrics(matrix(0, negatives, 0, positives)).mcc).toBe(-1);
    }),
  );
});

test("baselines answer the same queries: always yes, always no, and the lexical router", () => {
  const sides: QuerySide[] = ["should_match", "should_match", "should_match", "should_not_match"];
  const lexical = sides.map((side, index) => ({ side, isYes: index < 2 }));

  expect(baselines(sides, lexical)).toMatchObject({
    alwaysYes: { tp: 3, fp: 1, tn: 0, fn: 0, recall: 1, precision: 0.75, mcc: null, coverage: 1 },
    alwaysNo: { tp: 0, fp: 0, tn: 1, fn: 3, recall: 0, precision: null, specificity: 1 },
    lexical: { tp: 2, fn: 1, tn: 1, fp: 0, asked: 4 },
  });
  expect(baselines(sides, null).lexical).toBeNull();
});
