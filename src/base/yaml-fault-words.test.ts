import { expect, test } from "vitest";
import { parseLocatedYaml } from "./located-yaml.ts";

test.each([
  [
    "name:my\ndescription: a b\n",
    "1 this line is no field (write `key: value`, with a space after the colon)",
  ],
  ["a: 1\nhello\n", /^2 no colon follows the key/],
  ["a:\n\tb: 1\n", "2 a tab indents the line (indent by spaces)"],
  ['a: 1\nb: "x\nc: y\n', '2 a " is opened and not closed (close it with another ")'],
  ["a: `x`\n", "1 a value begins with ` (put the value in quotes)"],
  ["a: b: c\n", '1 a value contains ": " and is not quoted (put the value in quotes)'],
  ["a: b\n  c: d\n", /^2 the line is indented, and reads like a field/],
  ["a:\n  b: c\n d: e\n", /^3 the line is indented unlike the fields beside it/],
  ["a:\n  - - b\n- c\n", "3 a list is indented unevenly (begin each - in the same column)"],
  ["a: 'it's'\n", /^1 text follows where the value has ended/],
  ["a: - b\n", /^1 a list begins beside its key/],
  ["a: |x\n  b\n", /^1 text stands beside \| or >/],
  ['a: "\\d"\n', "1 \\d means nothing inside \"…\" (use '…' around the text)"],
  ["a: [b,,c]\n", "1 unexpected , in flow sequence"],
])("what is wrong with %j is said in plain words, at the line to mend", async (text, expected) => {
  const read = await parseLocatedYaml(text, { scalars: "strings", depth: 8, aliases: 0 });
  const { line, problem, hint } = read.ok ? { line: 0, problem: "nothing", hint: undefined } : read.fault;

  expect(`${line} ${problem}${hint === undefined ? "" : ` (${hint})`}`).toMatch(expected);
});
