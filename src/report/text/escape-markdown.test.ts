import fc from "fast-check";
import { expect, test } from "vitest";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { escapeMarkdown } from "./markdown.ts";

/** What a reader of the rendered page sees. */
function unescaped(markdown: string): string {
  const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
  return markdown.replace(/\\[^\p{L}\p{N}]|&(?:amp|lt|gt);/gu, (found) => entities[found] ?? found.slice(1));
}

test.each([
  ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
  ["a | b", "a \\| b"],
  ["a \\| b", "a \\\\\\| b"],
  ["two\nlines\r\n", "two\\\\nlines\\\\r\\\\n"],
  ["`code`", "\\`code\\`"],
  ["**bold** _it_ ~~x~~ # h !", "\\*\\*bold\\*\\* \\_it\\_ \\~\\~x\\~\\~ \\# h \\!"],
  ["[a](b)", "\\[a\\](b)"],
  ["]]>", "\\]\\]&gt;"],
  ["&lt;", "&amp;lt;"],
  ["\u001b[31m", "\\\\e\\[31m"],
  ["abc\u202Etxt", "abc\\\\u{202e}txt"],
  ["nul\u0000", "nul\\\\u{0}"],
  ["http://a.b WWW.a.b a@b.c $x$", "http\\://a.b WWW\\.a.b a\\@b.c \\$x\\$"],
  ["=cmd()", "=cmd()"],
])("%j is written as text", (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test("an ordinary id reads in the source as it is, for an underscore inside a word is no markup", () => {
  expect(escapeMarkdown("coding_003")).toBe("coding_003");
  expect(escapeMarkdown("天气_v2")).toBe("天气_v2");
  expect(escapeMarkdown("_private a__b")).toBe("\\_private a\\_\\_b");
});

test("any text becomes one line without markup, and unescaping gives back what people should see", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom(...fewHostileTexts));
  fc.assert(
    fc.property(text, (hostile) => {
      const escaped = escapeMarkdown(hostile);
      const bare = escaped.replace(/\\[^\p{L}\p{N}]/gu, "").replace(/&(amp|lt|gt);/g, "");
      expect(bare).not.toMatch(/[\\`*[\]#!~|$&<>@]/);
      expect(escaped).not.toMatch(hiddenCharacters);
      expect(unescaped(escaped)).toBe(visibleText(hostile));
    }),
  );
});
