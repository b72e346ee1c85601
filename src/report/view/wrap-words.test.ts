import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth } from "../text/text-width.ts";
import { cutWords, limitLines, oneLine, textLines, wrapText, wrapWords } from "./wrap-words.ts";

const words = fc.array(fc.constantFrom("a", "word", "“说”", "（中文）", "结果，", "x".repeat(30), "é"), {
  maxLength: 30,
});

describe("wrapWords", () => {
  test("loses nothing, and makes a line longer only for one word", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 6, max: 40 }), (all, width) => {
        const text = all.join(" ");
        const lines = wrapWords(text, width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        for (const line of lines) if (textWidth(line) > width) expect(line).not.toContain(" ");
      }),
    );
  });

  test("breaks Chinese between characters, and not before its punctuation", () => {
    expect(wrapWords("期望的译文（全部）不同，请检查", 12)).toEqual([
      "期望的译文",
      "（全部）不",
      "同，请检查",
    ]);
  });
});

test("cutWords cuts between words, and within one only where there is no other", () => {
  expect(cutWords("one two three", 13)).toBe("one two three");
  expect(cutWords("one two three", 10)).toBe("one two …");
  expect(cutWords("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
});

test("lines stay lines, tabs are spaces, and what is hidden is seen", () => {
  expect(textLines("a\r\n\tb\u202e\rc\n\n")).toEqual(["a", "    b\\u{202e}", "c"]);
  expect(oneLine(" a\n\n\tb\u001b ")).toBe("a b\\e");
  expect(wrapText("if x:\n    return a long value", 14)).toEqual(["if x:", "    return a", "    long value"]);
});

test("of many lines the first and the last are kept", () => {
  const lines = Array.from({ length: 10 }, (_, n) => `line ${n}`);

  expect(limitLines(lines, 10)).toEqual(lines);
  expect(limitLines(lines, 5)).toEqual(["line 0", "line 1", "… 6 more lines …", "line 8", "line 9"]);
});
