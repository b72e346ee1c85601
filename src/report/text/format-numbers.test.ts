import { expect, test } from "vitest";
import {
  compositeScore,
  duration,
  fraction,
  fractionBounds,
  milliseconds,
  percent,
  percentBounds,
  perSecond,
  usd,
} from "./format-numbers.ts";

test("a rate has one decimal", () => {
  expect([0.95, 0.0167, 1, 0].map(percent)).toEqual(["95.0%", "1.7%", "100.0%", "0.0%"]);
});

test("almost all is never shown as all, and almost nothing never as nothing", () => {
  expect([0.9999, 0.0001].map(percent)).toEqual([">99.9%", "<0.1%"]);
});

test("an unknown value is a dash, never a zero", () => {
  for (const shown of [percent, milliseconds, compositeScore, fraction, usd]) expect(shown(null)).toBe("–");
});

test("bounds are written in the unit of their value, and not at all where there are none", () => {
  const wilson = { lower: 0.863, upper: 0.9829, level: 0.95, method: "wilson" } as const;
  expect(percentBounds(wilson)).toBe("86.3–98.3");
  expect(fractionBounds({ ...wilson, lower: 0.8667, upper: 1 })).toBe("0.8667–1");
  expect([percentBounds(null), fractionBounds(null)]).toEqual(["", ""]);
});

test.each([
  [0, "0 ms"],
  [1.24, "1.2 ms"],
  [9.97, "10 ms"],
  [84.3, "84 ms"],
  [412, "412 ms"],
  [999.6, "1.0 s"],
  [4_112, "4.1 s"],
  [59_940, "59.9 s"],
  [59_960, "1 m 00 s"],
  [65_000, "1 m 05 s"],
])("a time of %d ms is shown as %s", (ms, text) => {
  expect(milliseconds(ms)).toBe(text);
});

test.each([
  [400, "0 s"],
  [2_400, "2 s"],
  [59_600, "1 m 00 s"],
  [7_385_000, "2 h 03 m"],
])("an estimate of %d ms is shown as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("a composite score keeps four decimals, another fraction only those it has", () => {
  expect([compositeScore(1), compositeScore(0.9673)]).toEqual(["1.0000", "0.9673"]);
  expect([fraction(1), fraction(0.5), fraction(0.95921)]).toEqual(["1", "0.5", "0.9592"]);
});

test("a slow rate has a decimal, a fast one has none", () => {
  expect([perSecond(0.25), perSecond(2.4), perSecond(128.4)]).toEqual(["0.3/s", "2.4/s", "128/s"]);
});

test.each([
  [0, "$0.00"],
  [12.3, "$12.30"],
  [0.0996, "$0.10"],
  [0.05, "$0.05"],
  [0.00421, "$0.0042"],
  [0.00003, "$0.00003"],
  [0.0000003, "<$0.000001"],
])("%d dollars are shown as %s", (amount, text) => {
  expect(usd(amount)).toBe(text);
});
