import { expect, test } from "vitest";
import { isTooUnknown } from "./unknown-share.ts";

const figure = (value: number) => ({ caseCoverage: { value, interval: null, n: 10, better: "up" as const } });

test.each<[string, [count: number, of: number, maxShare: number, coverage: number], boolean]>([
  ["nothing is invalid and nothing accepted", [0, 10, 0, 1], false],
  ["one cell is invalid and nothing accepted", [1, 100, 0, 1], true],
  ["exactly the accepted share is invalid", [3, 10, 0.3, 0.7], false],
  ["one more than that", [4, 10, 0.3, 0.7], true],
  ["nine of ten where half is accepted", [9, 10, 0.5, 1], true],
  ["few cells, but of too many cases all of them", [10, 30, 0.4, 0.5], true],
  ["everything where everything is accepted", [10, 10, 1, 0], false],
  ["nothing was planned", [0, 0, 0, 1], false],
])("%s", (_, [count, of, maxShare, coverage], isTooMuch) => {
  expect(isTooUnknown({ unknown: { count, of, maxShare }, metrics: figure(coverage) })).toBe(isTooMuch);
});

test("a report that does not say what it accepts is not judged by it", () => {
  expect(isTooUnknown({ metrics: figure(0) })).toBe(false);
});
