import { expect, test } from "vitest";
import { sampleTask } from "../../test/sample-cell.ts";
import { Task } from "../contract/task.ts";
import { factsOfTasks, taskFacts } from "./task-facts.ts";

test("a task is told with its input and all that is expected", () => {
  const task = Task.parse({ id: "t", inputData: { x: 2 }, expectedOutput: { type: "close_to", value: 4 } });

  expect(taskFacts(task)).toEqual({
    id: "t",
    description: null,
    input: { x: 2 },
    expected: { type: "close_to", value: 4 },
    isShortened: false,
  });
});

test("an input too long to repeat is told by its beginning, and that it is", () => {
  const task = Task.parse({ id: "t", inputData: "x".repeat(10_000), expectedOutput: { value: 1 } });
  const { input, isShortened } = taskFacts(task);

  expect(isShortened).toBe(true);
  expect(String(input)).toMatch(/^"x{1000,2000}…?/);
  expect(String(input).length).toBeLessThanOrEqual(2001);
});

test("of more tasks than a report should repeat, it repeats none", () => {
  const few = Array.from({ length: 5000 }, () => sampleTask());

  expect(factsOfTasks(few)).toHaveLength(5000);
  expect(factsOfTasks([...few, sampleTask()])).toBeUndefined();
});
