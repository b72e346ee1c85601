import { expect, test } from "vitest";
import { isMarkdown } from "./expected-text.ts";

test.each([
  "# heading",
  "text\n   ###### deep",
  "Title\n=====",
  "Title\r\n---",
  "- item",
  "words\n  * nested",
  "1. first",
  "2) second",
  "| a | b |\n|---|:-:|\n| 1 | 2 |",
  "a | b\n--- | ---",
  "```js\ncode\n```",
  "~~~\ncode",
  "> quote",
  "see [the page](https://example.com) for more",
  "![image](a.png)",
  "<https://example.com>",
  "[ref]: https://example.com",
])("%j is Markdown", (text) => {
  expect(isMarkdown(text)).toBe(true);
});

test.each([
  "",
  "plain words",
  "#hashtag",
  "-5 degrees",
  "1.5 metres",
  "a | b",
  "---",
  "[not] a (link)",
  "x ](y)",
  "[x]()",
  "2026)",
])("%j is not", (text) => {
  expect(isMarkdown(text)).toBe(false);
});

test("a line of a million marks is read in one go", () => {
  for (const mark of ["](", "[", "<http://", "|", "-", "[a]"])
    expect(isMarkdown(`x ${mark.repeat(1e5)}`)).toBe(false);
});
