import { expect, test } from "vitest";
import { sampleTaskResult } from "../src/contract/sample-task-result.ts";
import { sampleSkill } from "../src/reporters/sample-report.ts";
import { skillCells, skillLabels } from "./skill-cell.ts";

test("the cells of one skill on two benchmarks can be told apart", () => {
  const reports = ["first", "second"].map((benchmarkId) => ({
    ...sampleSkill({ benchmarkId }),
    taskResults: [sampleTaskResult({ taskId: `of ${benchmarkId}` })],
  }));

  expect(skillCells({ reports }).map(({ taskId, benchmarkId }) => [taskId, benchmarkId])).toEqual([
    ["of first", "first"],
    ["of second", "second"],
  ]);
});

test("the benchmark is named only where the id of a skill occurs twice", () => {
  const skill = (skillId: string, benchmarkId: string) => ({ skillId, benchmarkId });

  expect(skillLabels([skill("a", "x"), skill("b", "x")])).toEqual(["a", "b"]);
  expect(skillLabels([skill("a", "x"), skill("b", "x"), skill("a", "y")])).toEqual(["a on x", "b", "a on y"]);
});
