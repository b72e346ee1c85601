import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml, escapeJson, readableText } from "./html-text.ts";

/** Texts with characters that are special in markup, scripts and Unicode. */
const touchy = fc.constantFrom(
  "<",
  ">",
  "&",
  '"',
  "'",
  "/",
  "!--",
  "script",
  "\u0000",
  "\ud800",
  "\u2028",
  "😀",
  "a",
);

test("whatever would hide or reorder is visible; line breaks, joiners and foreign scripts stay", () => {
  expect(readableText("a\u202eb\u0000c\u200bd\u001b\ud800")).toBe(
    "a\\u{202e}b\\u{0}c\\u{200b}d\\u{1b}\\u{d800}",
  );
  expect(readableText("a\tb\r\nc\u2028")).toBe("a\tb\nc\\u{2028}");
  for (const text of ["👩‍👩‍👧‍👦", "می‌خواهم", "שלום", "日本語", "é"]) expect(readableText(text)).toBe(text);
});

test("escaped text holds nothing that markup begins or an attribute ends with", () => {
  fc.assert(
    fc.property(fc.string({ unit: touchy }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});

test("JSON for a script element says the same and cannot leave it", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: touchy }), (json) => {
      const escaped = escapeJson(json);
      expect(escaped).not.toMatch(/[<\u2028\u2029]/);
      expect(JSON.parse(escaped)).toEqual(JSON.parse(json));
    }),
  );
  expect(escapeJson('"</script><!--\u2028"')).toBe('"\\u003c/script>\\u003c!--\\u2028"');
});
