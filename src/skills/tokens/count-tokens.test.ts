import { countTokens as reference } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "./count-tokens.ts";

const paragraph =
  "Fills PDF forms from a data file.\n\n  - 填写表格 `scripts/fill.py`\r\n\n# It's 2026 — ok?\n/ x\n";

test.each([
  ["nothing", "", 0],
  ["two words", "hello world", 2],
  ["the name of a special token is text", "a text may name <|endoftext|> without being one", 14],
  ["several scripts", paragraph, reference(paragraph)],
  ["more than is counted at once", paragraph.repeat(2000), reference(paragraph.repeat(2000))],
])("%s", async (_, text, tokens) => {
  expect(await countTokens(text)).toBe(tokens);
});

test.each([["x"], ["\ud800"], ["字"], [" "], ["\n"], ["-"]])(
  "a million times %j is counted without taking the square of its length",
  async (letter) => {
    expect(await countTokens(letter.repeat(1_000_000))).toBeGreaterThan(1000);
  },
);
