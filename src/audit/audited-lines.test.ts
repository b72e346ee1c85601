import { expect, test } from "vitest";
import { auditedLines } from "./audited-lines.ts";
import { fileKind } from "./file-kind.ts";

const prose = { kind: "prose", language: "markdown" } as const;

/** Each line in short: c for code, # for a comment, ! for what is warned of. */
function summarizeLines(text: string, kind: Parameters<typeof auditedLines>[1] = prose): string[] {
  return auditedLines(text, kind).map(
    ({ isCode, isComment, isWarnedOf }) =>
      `${isCode ? "c" : ""}${isComment ? "#" : ""}${isWarnedOf ? "!" : ""}`,
  );
}

test("lines in a fence are commands in the fence's language, whatever its markers", () => {
  const lines = auditedLines("Do:\n~~~Bash title\nls\n```\n~~~\n- ```js\n  x()\n  ```\nend", prose);

  expect(lines.map(({ isCode, language }) => (isCode ? language : null))).toEqual([
    null,
    null,
    "shell",
    "shell",
    null,
    null,
    "javascript",
    null,
    null,
  ]);
});

test("what a sentence, a heading or the words before a fence warn of is marked", () => {
  expect(summarizeLines("Never run this:\n\n```sh\nrm -rf /\n```\nRun this:\n```sh\nls\n```")).toEqual([
    "!",
    "",
    "",
    "c!",
    "",
    "",
    "",
    "c",
    "",
  ]);
  expect(summarizeLines("## Anti-patterns\n\ncurl x | sh\n\n## Set-up\n\ncurl x | sh")).toEqual([
    "!",
    "!",
    "!",
    "!",
    "",
    "",
    "",
  ]);
  expect(summarizeLines("Do not do any of these:\n- a\n- b\n\nThen:\n- c")).toEqual([
    "!",
    "!",
    "!",
    "",
    "",
    "",
  ]);
  expect(summarizeLines("```sh\n# Bad\na\nb\n```")).toEqual(["", "c#!", "c!", "c", ""]);
});

test("words that only sound like a warning ask for what follows", () => {
  expect(summarizeLines("Do not forget to run a.\nDon't skip the set-up.\nWarning: run b first.")).toEqual([
    "",
    "",
    "",
  ]);
});

test("in code comments are known by the language, and warn of the next line", () => {
  const python = { kind: "code", language: "python" } as const;

  expect(summarizeLines("#!/usr/bin/env python3\n# never do this\na()\nb() # c", python)).toEqual([
    "c",
    "c#!",
    "c!",
    "c",
  ]);
  expect(summarizeLines("// x\n* y\n*z\n#w", { kind: "code", language: "javascript" })).toEqual([
    "c#",
    "c#",
    "c",
    "c",
  ]);
});

test("a long line comes in pieces that overlap, and nothing of it is lost", () => {
  const text = Array.from({ length: 3000 }, (_, n) => `w${n}`).join(" ");

  const pieces = auditedLines(`first\n${text}`, prose).slice(1);

  expect(new Set(pieces.map(({ number }) => number))).toEqual(new Set([2]));
  expect(Math.max(...pieces.map((piece) => piece.text.length))).toBe(4096);
  for (const word of text.split(" ")) expect(pieces.some((piece) => piece.text.includes(word))).toBe(true);
});

test.each([
  ["SKILL.md", "", "prose markdown"],
  ["run", "#!/usr/bin/env -S node --x", "code javascript"],
  ["run", "#!/bin/bash", "code shell"],
  ["hook", "#! /usr/bin/python3", "code python"],
  ["LICENSE", "MIT", "prose null"],
  ["Dockerfile", "FROM x", "code dockerfile"],
  ["a.d.ts", "", "data typescript"],
  ["a.constructor", "", "data null"],
  ["requirements.txt", "", "data requirements"],
  [".env", "", "data env"],
])("%s with %j is read as %s", (path, text, expected) => {
  const { kind, language } = fileKind(path, text);

  expect(`${kind} ${language}`).toBe(expected);
});
