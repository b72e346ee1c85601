import { expect, test } from "vitest";
import { matchesAny } from "./glob.ts";

test.each([
  ["pdf-*", "pdf-split", true],
  ["pdf-*", "my-pdf-split", false],
  ["*", "", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["a.c", "abc", false],
  ["[x]", "[x]", true],
  ["*-日?", "x-日本", true],
])("%s matches %s: %s", (pattern, text, expected) => {
  expect(matchesAny(text, ["never", pattern])).toBe(expected);
});
