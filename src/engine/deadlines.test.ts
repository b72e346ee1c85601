import { expect, test } from "vitest";
import { sampleSkill, sampleSkillWithTimeout, sampleTask } from "../../test/sample-cell.ts";
import { taskDeadlineMs, uselessTimeout } from "./deadlines.ts";

const fromFile = { timeoutMs: 30_000, isTyped: false };
const typed = (timeoutMs: number) => ({ timeoutMs, isTyped: true });

test.each([
  ["the task's own deadline wins over the skill's and the configuration's", 10_000, 20_000, fromFile, 10_000],
  ["without one of the task, the skill's adapter configuration counts", undefined, 20_000, fromFile, 20_000],
  ["without both, the configuration counts", undefined, undefined, fromFile, 30_000],
  ["a configuration does not cap a longer task", 90_000, undefined, fromFile, 90_000],
  ["a configuration does not cap a longer skill", undefined, 90_000, fromFile, 90_000],
  ["a task may be longer than its skill says", 90_000, 20_000, fromFile, 90_000],
  ["a typed timeout caps a task", 10_000, undefined, typed(500), 500],
  ["a typed timeout caps a skill", undefined, 20_000, typed(500), 500],
  ["a typed timeout lengthens no task", 10_000, undefined, typed(60_000), 10_000],
  ["a typed timeout lengthens no skill", undefined, 20_000, typed(60_000), 20_000],
  [
    "where nothing else is said a typed timeout counts, also a long one",
    undefined,
    undefined,
    typed(60_000),
    60_000,
  ],
  ["there is no lower bound of our own", 1, undefined, fromFile, 1],
])("%s", (_, taskMs, skillMs, settings, expected) => {
  const skill = skillMs === undefined ? sampleSkill() : sampleSkillWithTimeout(skillMs);
  const task = sampleTask(taskMs === undefined ? {} : { timeoutMs: taskMs });

  expect(taskDeadlineMs(skill, task, settings)).toBe(expected);
});

test("a typed timeout that shortens nothing is reported, with the longest setting that is shorter", () => {
  const tasks = [sampleTask({ id: "quick", timeoutMs: 100 }), sampleTask({ id: "slow", timeoutMs: 9000 })];

  expect(uselessTimeout([sampleSkill()], tasks, typed(60_000))).toBe(
    "--timeout 60000 has no effect: every timeout is shorter (longest: 9000 ms, timeoutMs of task slow)",
  );
});

test("the shorter setting may be the skill's", () => {
  expect(uselessTimeout([sampleSkillWithTimeout(5000)], [sampleTask()], typed(60_000))).toContain(
    "5000 ms, timeoutMs of calc",
  );
});

test.each([
  ["one that shortens a single deadline", [100, 90_000], typed(60_000)],
  ["one that sets the deadline of a task without its own", [100, undefined], typed(60_000)],
  ["one that equals the longest deadline", [100, 60_000], typed(60_000)],
  ["one that was not typed", [100, 200], { timeoutMs: 60_000, isTyped: false }],
])("%s is worth no word", (_, deadlines, settings) => {
  const tasks = deadlines.map((timeoutMs, n) => sampleTask({ id: `t${n}`, timeoutMs }));

  expect(uselessTimeout([sampleSkill()], tasks, settings)).toBeNull();
});
