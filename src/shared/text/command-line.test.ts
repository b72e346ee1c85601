import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord, splitCommand } from "./command-line.ts";
import { visibleText } from "./visible-text.ts";

const table: [string, string[]][] = [
  ["python3 skill.py", ["python3", "skill.py"]],
  ["  a \t b\n c  ", ["a", "b", "c"]],
  ["", []],
  ["   ", []],
  ["'a b' c", ["a b", "c"]],
  ['"a b" c', ["a b", "c"]],
  ["a\\ b c", ["a b", "c"]],
  ["''", [""]],
  ['a "" b', ["a", "", "b"]],
  ["a'b'\"c\"d", ["abcd"]],
  ["'a\\b'", ["a\\b"]],
  ["'a\"b'", ['a"b']],
  ['"a\'b"', ["a'b"]],
  ['"a\\"b"', ['a"b']],
  ['"a\\\\b"', ["a\\b"]],
  ['"a\\nb"', ["a\\nb"]],
  ["$HOME ~ * `x` $(y) a;b|c&d>e", ["$HOME", "~", "*", "`x`", "$(y)", "a;b|c&d>e"]],
  ["a # b", ["a", "#", "b"]],
  ["\\'", ["'"]],
  ["東京 'ü ü'", ["東京", "ü ü"]],
];
for (const [line, words] of table) {
  test(`${JSON.stringify(line)} is ${JSON.stringify(words)}`, () => {
    expect(splitCommand(line)).toEqual(words);
  });
}

for (const line of ["'a", '"a', "a 'b c", 'a"', "a\\", "'\\''", '"\\"']) {
  test(`${line} is refused: something is open at its end`, () => {
    expect(() => splitCommand(line)).toThrow(SyntaxError);
  });
}

const word = fc.string({ unit: "grapheme" });

test("words in single quotes come back, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const line = words.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(" ");
      expect(splitCommand(line)).toEqual(words);
    }),
  );
});

test("words in double quotes come back, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const line = words.map((text) => `"${text.replace(/["\\$`]/g, "\\$&")}"`).join(" \t");
      expect(splitCommand(line)).toEqual(words);
    }),
  );
});

test("words with every character escaped come back, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), (words) => {
      const line = words.map((text) => text.replace(/[\s\S]/g, "\\$&")).join(" ");
      expect(splitCommand(line)).toEqual(words);
    }),
  );
});

test("a real shell splits what it does not expand in the same way", () => {
  const plain = fc.stringMatching(/^[a-z'"\\ ]{0,12}$/);
  fc.assert(
    fc.property(plain, (line) => {
      let words: string[];
      try {
        words = splitCommand(line);
      } catch {
        return;
      }
      const printed = execFileSync(
        "/bin/sh",
        ["-c", `for word in ${line}; do printf '%s\\0' "$word"; done`],
        {
          encoding: "utf8",
        },
      );
      expect(printed.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test("a real shell reads every word back as it was, and each is safe to print on one line", () => {
  const char = fc.oneof(
    fc.constantFrom(..."'\\$`\"!~#=*\n\t\u001b\u200b\u202e"),
    fc.string({ unit: "grapheme" }),
  );
  const words = fc.sample(
    fc.array(char).map((chars) => chars.join("").replaceAll("\0", "")),
    300,
  );
  const line = ["=ls", "~", ...words].map(shellWord).join(" ");
  const printed = execFileSync("bash", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  expect(printed.split("\0").slice(0, -1)).toEqual(["=ls", "~", ...words]);
  expect(visibleText(line)).toBe(line);
});
