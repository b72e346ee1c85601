import { expect, test } from "vitest";
import { sampleSkill, unknownSkill } from "../src/reporters/sample-report.ts";
import { sortSkills } from "./sort-skills.ts";

const { summary } = sampleSkill();
const skills = [
  unknownSkill("unknown", 3),
  sampleSkill({ skillId: "s10", summary: { ...summary, completionRate: 0.5 } }),
  sampleSkill({ skillId: "s9", summary: { ...summary, completionRate: 0.9 } }),
];

function ids(by: "plan" | "skill" | "completion", isDescending: boolean): string[] {
  return sortSkills(skills, { by, isDescending }).map(({ skillId }) => skillId);
}

test("skills stand in plan order until asked otherwise", () => {
  expect(ids("plan", false)).toEqual(["unknown", "s10", "s9"]);
});

test("an unknown figure is last, whichever way the rest is sorted", () => {
  expect(ids("completion", false)).toEqual(["s10", "s9", "unknown"]);
  expect(ids("completion", true)).toEqual(["s9", "s10", "unknown"]);
});

test("numbers in names sort as numbers", () => {
  expect(ids("skill", false)).toEqual(["s9", "s10", "unknown"]);
});
