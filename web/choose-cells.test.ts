import { expect, test } from "vitest";
import { sampleTaskResult } from "../src/contract/sample-task-result.ts";
import { type CellQuery, chooseCells, everyCell } from "./choose-cells.ts";
import type { SkillCell } from "./skill-cell.ts";

const cells: readonly SkillCell[] = [
  sampleTaskResult({ taskId: "t10", latencyMs: 5, tags: ["math"] }),
  sampleTaskResult({
    taskId: "t2",
    status: "invalid",
    latencyMs: 9,
    error: { code: "contaminated", message: "Saw it" },
  }),
  sampleTaskResult({
    taskId: "t1",
    status: "fail",
    latencyMs: 7,
    reason: "expected Ünder, got over",
    skillId: "other",
  }),
  sampleTaskResult({ taskId: "t3", latencyMs: 1, output: { deep: ["Needle"] }, tags: ["math", "__proto__"] }),
].map((cell) => ({ ...cell, benchmarkId: "first" }));

const skill = { skillId: "skill", benchmarkId: "first" };

function tasks(given: Partial<CellQuery>): string[] {
  return chooseCells(cells, { ...everyCell, ...given }).places.map((place) => cells[place]?.taskId ?? "");
}

test("what did not pass comes first, the rest in plan order", () => {
  expect(tasks({})).toEqual(["t1", "t2", "t10", "t3"]);
});

test("numbers in names sort as numbers, and an unknown score is last either way", () => {
  expect(tasks({ order: { by: "task", isDescending: false } })).toEqual(["t1", "t2", "t3", "t10"]);
  expect(tasks({ order: { by: "latency", isDescending: true } })).toEqual(["t2", "t1", "t10", "t3"]);
  expect(tasks({ order: { by: "score", isDescending: false } })).toEqual(["t1", "t10", "t3", "t2"]);
  expect(tasks({ order: { by: "score", isDescending: true } })).toEqual(["t10", "t3", "t1", "t2"]);
});

test("every word has to occur, in any case, in name, reason, error or output", () => {
  expect(tasks({ text: "needle" })).toEqual(["t3"]);
  expect(tasks({ text: " ÜNDER  t1 " })).toEqual(["t1"]);
  expect(tasks({ text: "contaminated saw" })).toEqual(["t2"]);
  expect(tasks({ text: "needle t1" })).toEqual([]);
});

test("skill, tag and status narrow down together; names of the language are names like others", () => {
  expect(tasks({ tag: "math" })).toEqual(["t10", "t3"]);
  expect(tasks({ tag: "__proto__" })).toEqual(["t3"]);
  expect(tasks({ skill: { ...skill, skillId: "other" }, tag: "math" })).toEqual([]);
  expect(tasks({ statuses: ["pass", "fail"], skill })).toEqual(["t10", "t3"]);
  expect(tasks({ skill: { ...skill, benchmarkId: "second" } })).toEqual([]);
});

test("the counts leave the chosen statuses aside, so that a reader sees what others would bring", () => {
  const { counts } = chooseCells(cells, { ...everyCell, statuses: ["fail"], skill });
  expect(counts).toEqual({ pass: 2, fail: 0, error: 0, timeout: 0, invalid: 1 });
});
