import { expect, test } from "vitest";
import { roundMs, roundShare, roundUsd } from "./numbers.ts";

test("shares and scores are written with 4 decimals, latencies with 3, prices with 6", () => {
  expect(roundShare(2 / 3)).toBe(0.6667);
  expect(roundMs(12.3456789)).toBe(12.346);
  expect(roundUsd(0.000_012_34)).toBe(0.000012);
});

test("what is unknown stays unknown", () => {
  expect([roundShare(null), roundMs(null), roundUsd(null)]).toEqual([null, null, null]);
});

test("rounding what was rounded changes nothing", () => {
  for (const value of [0, 1, 1 / 3, 0.00005, 412.34567])
    for (const round of [roundShare, roundMs, roundUsd]) expect(round(round(value))).toBe(round(value));
});
