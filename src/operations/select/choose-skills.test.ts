import { expect, test } from "vitest";
import { unlikeBenchmarks } from "./choose-skills.ts";

const on = (skillId: string, ...benchmarks: string[]) =>
  benchmarks.map((benchmarkId) => ({ skillId, benchmarkId }));

test("skills that were measured on the same benchmarks compare, in whatever order and however often", () => {
  const reports = [...on("a", "x", "y", "x"), ...on("b", "y", "x")];

  expect(unlikeBenchmarks(["a", "b"], reports)).toBe(null);
});

test("skills without a report and reports of others say nothing", () => {
  expect(unlikeBenchmarks(["a", "b"], [...on("a", "x"), ...on("stranger", "y")])).toBe(null);
  expect(unlikeBenchmarks(["a", "b"], [])).toBe(null);
});

test("other benchmarks, and more of them, are a warning that names who was measured on what", () => {
  expect(unlikeBenchmarks(["a", "b", "c"], [...on("a", "x"), ...on("b", "x", "y"), ...on("c", "x")])).toBe(
    "the skills were measured on different benchmarks and cannot be compared: a, c on x; b on x, y",
  );
});

test("of many only the first are named", () => {
  const skills = ["a", "b", "c", "d", "e"];
  const reports = skills.flatMap((skill, at) => on(skill, ...["p", "q", "r", "s", "t"].slice(at)));

  expect(unlikeBenchmarks(skills, reports)).toMatch(
    /: a on p, q, r and 2 more; b on q, r, s and 1 more; c on r, s, t and 2 more$/,
  );
});
