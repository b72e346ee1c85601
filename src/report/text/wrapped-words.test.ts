import { expect, test } from "vitest";
import { wrappedWords } from "./text-width.ts";

test.each([
  ["", 10, [""]],
  ["a few words", 20, ["a few words"]],
  ["a few more words", 8, ["a few", "more", "words"]],
  ["see ./a/long/path/to/it now", 10, ["see", "./a/long/path/to/it", "now"]],
  ["核对发票的合计 是否正确", 8, ["核对发票", "的合计", "是否正确"]],
  ["endless", Number.POSITIVE_INFINITY, ["endless"]],
])("%j in %d columns", (text, width, lines) => {
  expect(wrappedWords(text, width)).toEqual(lines);
});
