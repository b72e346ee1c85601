import { expect, test } from "vitest";
import { isShown, readBlocks, readCommands } from "./guide-blocks.ts";

const page = `# A page

\`\`\`json some/file.json
{ "a": 1 }
\`\`\`

\`\`\`sh
# only a word on the way
eval-skills eval --skills ./a
eval-skills eval --skills ./b   # exit 1: the gate
eval-skills eval \\
  --skills ./c
eval-skills doctor # exit 0 or 1: as it stands
\`\`\`
`;

test("a page is its blocks: their language, their file, their text", () => {
  expect(readBlocks(page)).toMatchObject([
    { language: "json", file: "some/file.json", text: '{ "a": 1 }\n', line: 3 },
    { language: "sh", file: null, line: 7 },
  ]);
  expect(() => readBlocks("```sh\nls\n")).toThrow("the block of line 1 does not end");
});

test("a command is a line with the exit code that stands beside it", () => {
  const [, shell] = readBlocks(page);
  expect(shell && readCommands(shell)).toEqual([
    { text: "eval-skills eval --skills ./a", exitCodes: [0] },
    { text: "eval-skills eval --skills ./b   # exit 1: the gate", exitCodes: [1] },
    { text: "eval-skills eval    --skills ./c", exitCodes: [0] },
    { text: "eval-skills doctor # exit 0 or 1: as it stands", exitCodes: [0, 1] },
  ]);
});

test("what a page shows has other numbers at most, and may leave lines out where it says so", () => {
  const output = "my_calc  CR 95.0% [86.3–98.3]\n\nreports/a.json\nreports/b.md\n";
  expect(isShown("my_calc CR 7% [1.5–9]\n\nreports/a.json\nreports/b.md\n", output)).toBe(true);
  expect(isShown("my_calc CR 95.0% [86.3–98.3]\n…\n", output)).toBe(true);
  expect(isShown("my_calc CR 95.0% [86.3–98.3]\n", output)).toBe(false);
  expect(isShown("my_calc ER 95.0% [86.3–98.3]\n…\n", output)).toBe(false);
});
