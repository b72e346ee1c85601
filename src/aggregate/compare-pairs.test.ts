import { expect, test } from "vitest";
import { pairSkills } from "./compare-pairs.ts";

const named = (skillId: string, benchmarkId = "bench") => ({ skillId, benchmarkId });

test("skills pair by id and benchmark; the rest was added or removed", () => {
  const a = [named("x"), named("x", "other"), named("gone")];
  const b = [named("new"), named("x", "other"), named("x")];

  expect(pairSkills(a, b)).toEqual({
    pairs: [
      { a: named("x", "other"), b: named("x", "other") },
      { a: named("x"), b: named("x") },
    ],
    added: [named("new")],
    removed: [named("gone")],
  });
});

test("a single skill on each side pairs under any id, on the same benchmark", () => {
  expect(pairSkills([named("v1")], [named("v2")])).toMatchObject({
    pairs: [{ a: named("v1"), b: named("v2") }],
    added: [],
    removed: [],
  });
  expect(pairSkills([named("v1")], [named("v2", "other")]).pairs).toEqual([]);
  expect(pairSkills([named("v1"), named("x")], [named("v2")]).pairs).toEqual([]);
});

test("an id cannot pretend to be another id on another benchmark", () => {
  expect(pairSkills([named("a", "b|c"), named("z")], [named("a|b", "c"), named("z")]).pairs).toHaveLength(1);
});
