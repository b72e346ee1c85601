import { expect, test } from "vitest";
import type { TaskResult } from "../contract/task-result.ts";
import { sampleCell, sampleSkill, stored } from "./sample-report.ts";
import { describeTrials, tasksNotPassed } from "./tasks-not-passed.ts";

const skill = sampleSkill({ counts: { total: 9, pass: 4, fail: 4, error: 0, timeout: 1, invalid: 0 } });
const ends: Record<string, TaskResult["status"][]> = {
  mixed: ["pass", "timeout", "fail"],
  never: ["fail", "fail", "fail"],
  always: ["pass", "pass", "pass"],
};
// As in a plan: every task, then every task again.
const cells = [0, 1, 2].flatMap((trial) =>
  Object.entries(ends).map(([taskId, statuses]) =>
    sampleCell({ taskId, trial: trial + 1, status: statuses[trial] ?? "pass" }),
  ),
);

test("the trials of a task are one entry, wherever they lie, and those that passed count too", () => {
  const told = [...tasksNotPassed(skill, 3, () => stored(cells), 10)].map(
    (task) => `${task.cell.taskId} ${describeTrials(task, 3)}`,
  );

  expect(told).toEqual(["never fail 3/3", "mixed 1 fail, 1 timeout of 3"]);
});

test("the limit counts tasks", () => {
  const [first, ...others] = tasksNotPassed(skill, 3, () => stored(cells), 1);

  expect(first).toMatchObject({ cell: { taskId: "never" }, trials: 3 });
  expect(others).toEqual([]);
  expect([...tasksNotPassed(skill, 3, () => stored(cells), 0)]).toEqual([]);
});

test("with one run no cell is read in vain", () => {
  let read = 0;
  function* source() {
    for (const text of stored(cells)) {
      read++;
      yield text;
    }
  }

  const told = [...tasksNotPassed(skill, 1, source, 1)].map((task) => describeTrials(task, 1));

  expect(told).toEqual(["fail"]);
  expect(read).toBe(2);
});
