import fc from "fast-check";
import { expect, test } from "vitest";
import { shorten, shortenWords, visibleLines, visibleText } from "./visible-text.ts";

const table: [string, string, string][] = [
  ["an escape sequence", "\u001b[31mred", "\\e[31mred"],
  ["a title", "\u001b]0;owned\u0007", "\\e]0;owned\\u{7}"],
  ["a C1 control", "\u009b31m", "\\u{9b}31m"],
  ["a line break", "a\nb\r\tc", "a\\nb\\r\\tc"],
  ["a separator that some take for a line break", "a\u2028b", "a\\u{2028}b"],
  ["a change of direction", "a\u202eb\u2066c\u061cd", "a\\u{202e}b\\u{2066}c\\u{61c}d"],
  ["characters without width", "a\u200bb\ufeffc\u00add", "a\\u{200b}b\\u{feff}c\\u{ad}d"],
  ["tags, by which text is hidden from people and not from models", "a\u{e0041}b", "a\\u{e0041}b"],
  ["half a character", "a\ud800b", "a\\u{d800}b"],
  ["ordinary text in any language", "über 東京 Ελλάδα 👍", "über 東京 Ελλάδα 👍"],
];
for (const [what, text, visible] of table) {
  test(`${what} is shown as ${visible}`, () => {
    expect(visibleText(text)).toBe(visible);
  });
}

test("lines are kept where they are meant", () => {
  expect(visibleLines("a\u001b\nb\r\n")).toBe("a\\e\nb\\r\n");
});

test("nothing that was made visible has anything hidden left", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff })), (points) => {
      const text = String.fromCodePoint(...points);
      expect(visibleText(visibleText(text))).toBe(visibleText(text));
    }),
  );
});

test("a text is shortened to its limit, and a short one is left", () => {
  expect(shorten("abc", 3)).toBe("abc");
  expect(shorten("abcd", 3)).toBe("ab…");
});

test("shortening never leaves half a character, and never more than the limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 20 }), (text, limit) => {
      const short = shorten(text, limit);
      expect(short.length).toBeLessThanOrEqual(Math.max(limit, 0));
      expect(Buffer.from(short).toString()).toBe(short);
    }),
  );
});

test("a text is cut between its words, and within one only where that is all there is", () => {
  expect(shortenWords("one two three", 13)).toBe("one two three");
  expect(shortenWords("one two three", 12)).toBe("one two …");
  expect(shortenWords("one two three", 9)).toBe("one two …");
  expect(shortenWords(`${"x".repeat(30)} y`, 12)).toBe(`${"x".repeat(10)} …`);
  expect(shortenWords("把表单填好并且保存下来", 8)).toBe("把表单填好并 …");
});
