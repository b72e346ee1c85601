import { countOf } from "../base/count-of.ts";
import type { CellReader, SkillReport } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";
import { type Verdict, verdicts } from "../contract/verdict.ts";
import { notPassed } from "./not-passed.ts";

/** A task that did not pass in every trial. */
export interface TaskNotPassed {
  /** Its first cell that did not pass. */
  cell: TaskResult;
  /** How often it ended how; passes are not among it. */
  counts: Map<Verdict, number>;
  /** All its trials, the passed ones included. */
  trials: number;
}

/** The first tasks of a skill that did not pass, with what became of their trials; holds no more than it yields. */
export function* tasksNotPassed(
  skill: SkillReport,
  runs: number,
  cellsOf: CellReader,
  limit: number,
): Generator<TaskNotPassed> {
  if (runs > 1) yield* countTrials(firstTasks(skill, cellsOf, limit), skill, cellsOf);
  else
    for (const cell of notPassed(skill, cellsOf, limit))
      yield { cell, counts: new Map([[cell.status, 1]]), trials: 1 };
}

/** How the trials of a task ended: `fail` where there was one, `fail 3/3`, `2 fail, 1 timeout of 3`. */
export function describeTrials({ cell, counts, trials }: TaskNotPassed, runs: number): string {
  if (runs === 1) return cell.status;
  if (counts.size === 1) return `${cell.status} ${counts.get(cell.status)}/${trials}`;
  const ends = verdicts.flatMap((status) => (counts.has(status) ? [`${counts.get(status)} ${status}`] : []));
  return `${ends.join(", ")} of ${trials}`;
}

/** How many cells an entry stands for. */
export function countIn({ counts }: TaskNotPassed): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** How many cells no entry stands for: `7 more`, `7 more results of other tasks`. */
export function restOf(count: number, runs: number): string {
  return runs > 1 ? `${countOf(count, "more result")} of other tasks` : `${count} more`;
}

function firstTasks(skill: SkillReport, cellsOf: CellReader, limit: number): Map<string, TaskNotPassed> {
  const tasks = new Map<string, TaskNotPassed>();
  if (limit === 0) return tasks;
  for (const cell of notPassed(skill, cellsOf, Number.POSITIVE_INFINITY)) {
    if (tasks.has(cell.taskId)) continue;
    tasks.set(cell.taskId, { cell, counts: new Map(), trials: 0 });
    if (tasks.size === limit) break;
  }
  return tasks;
}

/** Trials of a task lie far apart in the plan, and its passes may come first, so the cells pass by a second time. */
function countTrials(
  tasks: ReadonlyMap<string, TaskNotPassed>,
  skill: SkillReport,
  cellsOf: CellReader,
): Iterable<TaskNotPassed> {
  if (tasks.size === 0) return [];
  for (const { taskId, status } of cellsOf(skill.skillId, skill.benchmarkId)) {
    const task = tasks.get(taskId);
    if (task === undefined) continue;
    task.trials++;
    if (status !== "pass") task.counts.set(status, (task.counts.get(status) ?? 0) + 1);
  }
  return tasks.values();
}
