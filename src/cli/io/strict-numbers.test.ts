import { describe, expect, test } from "vitest";
import { parseCount, parseRate } from "./option-values.ts";

describe("numbers on the command line", () => {
  test.each([
    "abc",
    "NaN",
    "Infinity",
    "-1",
    "80%",
    "4x",
    "1.5",
    "",
    " 4",
    "1e3",
    "0x10",
    "+4",
    "99999999999999999999",
  ])("%j is not a count", (text) => {
    expect(() => parseCount(text, "--runs", 1, 1000)).toThrow(
      expect.objectContaining({
        code: "usage",
        message: expect.stringContaining("--runs takes a whole number"),
      }),
    );
  });

  test.each(["0", "1001"])("%s is outside of 1 to 1000", (text) => {
    expect(() => parseCount(text, "--runs", 1, 1000)).toThrow(/from 1 to 1000/);
  });

  test("both ends of a range are inside", () => {
    expect([parseCount("1", "--runs", 1, 1000), parseCount("1000", "--runs", 1, 1000)]).toEqual([1, 1000]);
  });

  test.each(["abc", "NaN", "-0.1", "80%", "1.01", "0.5x", "", "1e-1", "Infinity"])(
    "%j is not a rate",
    (text) => {
      expect(() => parseRate(text, "--min-completion")).toThrow(
        /--min-completion takes a number from 0 to 1/,
      );
    },
  );

  test.each([
    ["0", 0],
    ["1", 1],
    ["0.7", 0.7],
    [".5", 0.5],
    ["1.0", 1],
  ])("%s is a rate", (text, rate) => {
    expect(parseRate(text, "--min-completion")).toBe(rate);
  });
});
