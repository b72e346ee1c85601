import { expect, test } from "vitest";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { makeExcerpt, maxExcerptLength, type TextLimits, truncateText } from "./truncate.ts";

test.each<[string, TextLimits, string]>([
  ["a\nb\nc\n", { maxLines: 3 }, "a\nb\nc\n"],
  ["a\nb\nc", { maxLines: 3 }, "a\nb\nc"],
  ["a\nb\nc\n", { maxLines: 2 }, "a\nb\n"],
  ["a\nb\nc\n", { maxLines: 0 }, ""],
  ["", { maxLines: 0, maxChars: 0 }, ""],
  ["abc", { maxChars: 3 }, "abc"],
  ["ab\ncd\nef", { maxChars: 7 }, "ab\ncd\n"],
  ["ab\ncd\nef", { maxChars: 6 }, "ab\ncd\n"],
  ["ab\ncd\nef", { maxChars: 5 }, "ab\n"],
  ["ab\ncd\nef", { maxChars: 7, maxLines: 1 }, "ab\n"],
  ["ab\ncd\nef", { maxChars: 4, maxLines: 2 }, "ab\n"],
  ["\nab", { maxChars: 0 }, ""],
  ["abcdef", { maxChars: 4 }, "abcd"],
  ["abc😀def", { maxChars: 4 }, "abc"],
  ["abc😀def", { maxChars: 5 }, "abc😀"],
  ["abc表单", { maxChars: 4 }, "abc表"],
  ["a\nbcdefgh", { maxChars: 6 }, "a\n"],
  ["a\nbcdefgh", { maxChars: 6, minChars: 3 }, "a\nbcde"],
  ["\ud83d\ud83d", { maxChars: 1 }, "\ud83d"],
])("of %j with %j %j is left", (text, limits, left) => {
  const cut = truncateText(text, limits);
  expect(cut).toMatchObject({
    text: left,
    truncated: left !== text,
    sha256: sha256(text),
    excerpt_sha256: sha256(left),
    chars: text.length,
  });
});

test("lines are counted as people do", () => {
  expect(["", "a", "a\n", "a\n\n", "\n", "a\nb"].map((text) => truncateText(text, {}).lines)).toEqual([
    0, 1, 1, 2, 1, 2,
  ]);
});

test("of a file with one endless line a part is shown, of one with short lines whole lines", () => {
  expect(makeExcerpt(`{\n${"x".repeat(50_000)}`).text).toHaveLength(maxExcerptLength);
  expect(makeExcerpt("12345678\n".repeat(5000)).text).toHaveLength(11_997);
});
