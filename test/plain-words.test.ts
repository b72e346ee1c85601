import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Words that are wrong in any sentence a user reads, with what to write instead. */
const dialect: readonly [pattern: RegExp, instead: string][] = [
  [/\bmend(?:s|ed|ing|able)?\b/i, "fix"],
  [/\bwishes\b/i, "options"],
  [/\bstands? (?:in|there|once|beside|below|above|twice)\b/i, "is in"],
  [/\bwas asked for\b/i, "name the threshold"],
  [/(?<!\b[Tt]here )\bis no (?!longer\b|more\b|one\b|different\b|better\b|worse\b)[a-z]/i, "is not a …"],
  [/\btalked? (?:in)?to a pass\b|\btalks the judge\b/i, "accepted"],
  [/\bas (?:it|they) must\b/i, "as expected"],
  [
    /\b(?:is|are|was|were|not|be) told (?:as|of|by|in|with)\b|\b(?:cause|warnings?|facts?) (?:is|are) told\b/i,
    "reported",
  ],
];

/** What a user can read: the texts in the program and every page of the documentation. */
function readableTexts(): { location: string; text: string }[] {
  const files = [
    ...filesBelow("src", /\.tsx?$/),
    ...filesBelow("web", /\.tsx?$/),
    ...filesBelow("docs", /\.md$/).filter((file) => !file.startsWith("docs/decisions/")),
    ...filesBelow("examples", /\.md$/),
    "README.md",
  ].filter((file) => !/\.(?:test|contract)\.tsx?$|^src\/audit\/aud/.test(file) && !isForModels(file));
  return files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .map((line, at) => ({
        location: `${file}:${at + 1}`,
        text: file.endsWith(".md") ? line : textIn(line),
      }))
      .filter(({ text }) => text !== ""),
  );
}

/** What agents and models are shown is part of recordings, which a new word would make useless. */
function isForModels(file: string): boolean {
  return /^src\/agent-runtime\/(?:stream\/json-problem|tools\/|loader\/(?:load-resource|open-loader)|loop\/plan-book)/.test(
    file,
  );
}

/** What a line of a program has in quotes or between tags, without the names in it. */
function textIn(line: string): string {
  if (/^\s*(?:\/\/|\/?\*|import |export .* from )/.test(line)) return "";
  const found = line.match(/"(?:[^"\\]|\\.)*"|`[^`]*`|>[^<>{}]+</g) ?? [];
  return found.map((text) => text.replace(/\$\{[^}]*\}?/g, "…")).join(" ");
}

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name) && !name.includes("node_modules"))
    .sort();
}

test("no text that a user can read is written in our old dialect", () => {
  const texts = readableTexts();
  const found = dialect.flatMap(([pattern, instead]) =>
    texts
      .filter(({ text }) => pattern.test(text))
      .map(
        ({ location: project, text }) =>
          `${project}: ${pattern.exec(text)?.[0]} → ${instead}: ${text.trim().slice(0, 120)}`,
      ),
  );

  expect(texts.length).toBeGreaterThan(10_000);
  expect(found).toEqual([]);
});
