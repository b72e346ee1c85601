import { expect, test } from "vitest";
import { sampleSubject } from "../../store/samples.ts";
import { unlikeBenchmarks } from "./choose-skills.ts";
import { changedCases, measuredSkill, mergeReports } from "./merge-reports.ts";

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

test("one benchmark whose cases changed between the runs of two skills is a warning", () => {
  const run = (skillId: string, casesDigest: string | undefined, day: number) =>
    measuredSkill(sampleSubject({ skillId, suite: "x", casesDigest }), `2026-03-0${day}`);
  const warnings = (...reports: ReturnType<typeof run>[]) =>
    changedCases(["a", "b", "c"], mergeReports(reports));

  expect(warnings(run("a", "new", 2), run("b", "old", 1), run("c", "new", 1))).toEqual([
    "the cases of x changed between runs: a, c ran the newest ones, b earlier ones, so their figures do not compare; evaluate them together",
  ]);
  expect(warnings(run("a", "new", 2), run("b", "old", 1), run("b", "new", 3))).toEqual([]);
  expect(warnings(run("a", "new", 2), run("b", undefined, 1), run("stranger", "old", 1))).toEqual([]);
});
