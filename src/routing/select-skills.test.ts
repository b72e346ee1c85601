import { expect, test } from "vitest";
import { sampleSkill } from "../../test/builders/sample-catalog.ts";
import type { RoutedSkill } from "../contract/routing.ts";
import { unscored } from "./score-skills.ts";
import { selectSkills } from "./select-skills.ts";

const scored = (id: string, score: number, change: Partial<RoutedSkill> = {}): RoutedSkill => ({
  ...unscored(sampleSkill({ id }), null),
  score,
  ...change,
});

const lines = (skills: RoutedSkill[], k = 4) =>
  selectSkills(structuredClone(skills), { minScore: 0.2, k }).skills.map(({ id, rank, selected, excluded }) =>
    [id, selected === (rank !== null) ? (rank ?? excluded) : "inconsistent"].join(" "),
  );

test.for<[string, RoutedSkill[], string[], number?]>([
  ["by score", [scored("a", 0.3), scored("b", 0.4)], ["b 1", "a 2"]],
  [
    "then by priority, then by id in code units",
    [scored("b", 0.3), scored("Z", 0.3), scored("a", 0.3), scored("c", 0.3, { priority: 1 })],
    ["c 1", "Z 2", "a 3", "b 4"],
  ],
  ["from the least score on", [scored("a", 0.2), scored("b", 0.199999)], ["a 1", "b below-threshold"]],
  [
    "of one group, that of the best grouped skill; the others drop out, those without one stay",
    [
      scored("free", 0.9),
      scored("x1", 0.8, { group: "x" }),
      scored("y1", 0.7, { group: "y" }),
      scored("x2", 0.3, { group: "x" }),
      scored("free2", 0.25),
    ],
    ["free 1", "x1 2", "x2 3", "free2 4", "y1 group-mutex"],
  ],
  [
    "a group that is out anyway excludes nobody",
    [
      scored("n", 0.9, { group: "y", excluded: "negated" }),
      scored("w", 0.1, { group: "z" }),
      scored("x", 0.3, { group: "x" }),
    ],
    ["x 1", "n negated", "w below-threshold"],
  ],
  [
    "k of them, after the groups",
    [scored("a", 0.5, { group: "g" }), scored("b", 0.4, { group: "h" }), scored("c", 0.3), scored("d", 0.3)],
    ["a 1", "c 2", "b group-mutex", "d beyond-k"],
    2,
  ],
  ["nobody, where nobody is good enough", [scored("a", 0.1)], ["a below-threshold"]],
])("chosen are %s", ([, skills, expected, k]) => {
  expect(lines(skills, k)).toEqual(expected);
  expect(lines([...skills].reverse(), k)).toEqual(expected);
});

test.for<[number[], number | null, boolean]>([
  [[0.5, 0.450001], 0.049999, true],
  [[0.262, 0.212], 0.05, false],
  [[0.5, 0.5], 0, true],
  [[0.5], null, false],
  [[], null, false],
  [[0.21, 0.19], null, false],
])("scores %j: margin %j, close call %j", ([scores, margin, closeCall]) => {
  const skills = scores.map((score, n) => scored(`s${n}`, score));

  expect(selectSkills(skills, { minScore: 0.2, k: 4 })).toMatchObject({ margin, closeCall });
});
