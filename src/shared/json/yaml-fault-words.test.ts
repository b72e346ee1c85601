import { expect, test } from "vitest";
import { parseLocatedYaml } from "./located-yaml.ts";

test.each([
  [
    "name:my\ndescription: a b\n",
    "1 this line is not a field (write `key: value`, with a space after the colon)",
  ],
  ["a: 1\nhello\n", /^2 no colon follows the key/],
  ["a:\n\tb: 1\n", "2 the line is indented with a tab (indent with spaces)"],
  ['a: 1\nb: "x\nc: y\n', '2 unclosed " (close it with another ")'],
  ["a: `x`\n", "1 a value begins with ` (put the value in quotes)"],
  ["a: b: c\n", '1 a value contains ": " and is not quoted (put the value in quotes)'],
  ["a: b\n  c: d\n", /^2 the line is indented but looks like/],
  ["a:\n  b: c\n d: e\n", /^3 the line is not indented like the other fields/],
  ["a:\n  - - b\n- c\n", "3 the list is indented inconsistently (start each - in the same column)"],
  ["a: 'it's'\n", /^1 text follows the end of the value/],
  ["a: - b\n", /^1 the list starts on the line of its key/],
  ["a: |x\n  b\n", /^1 text follows \| or >/],
  ['a: "\\d"\n', "1 \\d means nothing inside \"…\" (use '…' around the text)"],
  ["a: [b,,c]\n", "1 unexpected , in flow sequence"],
])("what is wrong with %j is reported in plain words, at the line to fix", async (text, expected) => {
  const read = await parseLocatedYaml(text, { scalars: "strings", depth: 8, aliases: 0 });
  const { line, problem, hint } = read.ok ? { line: 0, problem: "nothing", hint: undefined } : read.fault;

  expect(`${line} ${problem}${hint === undefined ? "" : ` (${hint})`}`).toMatch(expected);
});
