import { expect, test } from "vitest";
import { sumConfusions } from "./sum-confusions.ts";

test("rows of several skills become one matrix: top-1, none, off-topic and who took most from whom", () => {
  const summary = sumConfusions([
    { intended: "b", chosen: { b: 3, a: 1 }, none: 0, undecided: 1 },
    { intended: "a", chosen: { b: 2 }, none: 0, undecided: 0 }, // negatives of b that belong to a
    { intended: null, chosen: { b: 1 }, none: 4, undecided: 0 },
    { intended: "a", chosen: { a: 6, b: 1, c: 3 }, none: 2, undecided: 1 },
    { intended: null, chosen: {}, none: 5, undecided: 2 },
  ]);

  expect(summary.rows).toEqual([
    { intended: "a", chosen: { a: 6, b: 3, c: 3 }, none: 2, undecided: 1 },
    { intended: "b", chosen: { a: 1, b: 3 }, none: 0, undecided: 1 },
    { intended: null, chosen: { b: 1 }, none: 9, undecided: 2 },
  ]);
  expect(summary).toMatchObject({
    top1: { count: 9, of: 18, rate: 0.5 },
    none: { count: 2, of: 18 },
    offTopic: { count: 1, of: 10, rate: 0.1, interval: { lower: expect.closeTo(0.018, 3) } },
  });
  expect(summary.worstPairs.map(({ intended, chosen, count, of }) => [intended, chosen, count, of])).toEqual([
    ["a", "b", 3, 14],
    ["a", "c", 3, 14],
    ["b", "a", 1, 4],
  ]);
});

test("without queries every share is undefined", () => {
  expect(sumConfusions([])).toMatchObject({
    rows: [],
    top1: { count: 0, of: 0, rate: null, interval: null },
    worstPairs: [],
  });
});

test("ids that are names of members of objects are counted like any other", () => {
  const rows = ["__proto__", "constructor", "toString"].map((id) => ({
    intended: id,
    chosen: Object.fromEntries([[id, 2]]),
    none: 0,
    undecided: 0,
  }));

  expect(sumConfusions([...rows, ...rows]).top1).toMatchObject({ count: 12, of: 12 });
  expect(
    sumConfusions([{ intended: "constructor", chosen: { a: 1 }, none: 0, undecided: 0 }]).top1,
  ).toMatchObject({ count: 0, of: 1 });
});
