import { expect, test } from "vitest";
import { notLoadedLines } from "./not-loaded.ts";

const broken = (path: string, code: string) => ({ path, code, reason: `${path}/SKILL.md:1:1: wrong` });

test("a few skills are named with their own reason", () => {
  expect(notLoadedLines([broken("a", "SKM01"), broken("b", "SKM02")])).toEqual([
    "a not loaded: a/SKILL.md:1:1: wrong",
    "b not loaded: b/SKILL.md:1:1: wrong",
  ]);
  expect(notLoadedLines([])).toEqual([]);
});

test("many are summarised by cause, the most frequent first, with the first names", () => {
  const many = [..."abcdef"].map((path) => broken(path, path === "a" ? "SKM02" : "SKM01"));

  expect(notLoadedLines(many)).toEqual([
    "6 skills not loaded: 5 × SKM01 (must hold: SKILL.md is UTF-8 text that starts with frontmatter between --- lines), " +
      "1 × SKM02 (must hold: the frontmatter is valid YAML); a, b, c and 3 more",
  ]);
});
