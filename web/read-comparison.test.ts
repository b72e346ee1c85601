import fc from "fast-check";
import { expect, test } from "vitest";
import { readComparison } from "./read-comparison.ts";

test("the part that differs is cut out of both sides", () => {
  expect(readComparison('at $.a[2]: expected "the fox jumps", got "the cat jumps"')).toEqual({
    path: "$.a[2]",
    expected: { before: '"the ', differs: "fox", after: ' jumps"' },
    got: { before: '"the ', differs: "cat", after: ' jumps"' },
  });
  expect(readComparison("expected 120, got 119")).toMatchObject({
    path: null,
    expected: { before: "1", differs: "20" },
    got: { before: "1", differs: "19" },
  });
});

test("a separator inside a text is part of the text", () => {
  expect(readComparison('expected "a, got b", got "a, got c"')).toMatchObject({
    expected: { before: '"a, got ', differs: "b" },
    got: { differs: "c" },
  });
});

test("a character of two halves is never torn", () => {
  expect(readComparison('expected "😀", got "😁"')).toMatchObject({
    expected: { before: '"', differs: "😀", after: '"' },
    got: { differs: "😁" },
  });
});

test("other reasons are no comparison", () => {
  for (const reason of ["", "missing: x", "expected something", "got 3", "no match for /x/"])
    expect(readComparison(reason)).toBeNull();
});

const piece = fc.constantFrom(", got ", "expected ", '"', "\\", "😀", "😁", "\ud83d", "a", "b", "…");

test("nothing is lost: the three parts of a side are the value", () => {
  fc.assert(
    fc.property(fc.string({ unit: piece }), fc.string({ unit: piece }), (expected, got) => {
      const read = readComparison(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
      const whole = (side: "expected" | "got") => {
        const { before = "", differs = "", after = "" } = read?.[side] ?? {};
        return before + differs + after;
      };
      expect(whole("expected")).toBe(JSON.stringify(expected));
      expect(whole("got")).toBe(JSON.stringify(got));
    }),
  );
});
