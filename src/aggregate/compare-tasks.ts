import type { TaskChange } from "../contract/diff.ts";
import type { CellResult } from "../contract/result.ts";

export interface PairedTasks {
  /** Every task that has valid trials on both sides, in the order of the first. */
  tasks: PairedTask[];
  /** Tasks that stand on one side only, that have changed, or that have no valid trial on one side. */
  unpaired: number;
}

export interface PairedTask extends TaskChange {
  /** Valid trials on the side that has fewer. */
  trials: number;
}

type ComparedCell = Pick<CellResult, "taskId" | "taskDigest" | "status">;

/** Pairs the tasks of two reports by id and content; by id alone where a side does not tell the content. */
export function pairTasks(a: readonly ComparedCell[], b: readonly ComparedCell[]): PairedTasks {
  const byContent = a.some(hasDigest) && b.some(hasDigest);
  const before = tally(a, byContent);
  const after = tally(b, byContent);
  const tasks: PairedTask[] = [];
  for (const [key, left] of before) {
    const right = after.get(key);
    if (right === undefined || left.valid === 0 || right.valid === 0) continue;
    tasks.push({
      taskId: left.taskId,
      a: left.passed / left.valid,
      b: right.passed / right.valid,
      trials: Math.min(left.valid, right.valid),
    });
  }
  const names = new Set([...before.values(), ...after.values()].map(({ taskId }) => taskId));
  for (const { taskId } of tasks) names.delete(taskId);
  return { tasks, unpaired: names.size };
}

/** A task that always passed and never does now. */
export function isBroken({ a, b }: TaskChange): boolean {
  return a === 1 && b === 0;
}

/** A task that never passed and always does now. */
export function isFixed({ a, b }: TaskChange): boolean {
  return a === 0 && b === 1;
}

interface TrialTally {
  taskId: string;
  valid: number;
  passed: number;
}

function hasDigest({ taskDigest }: ComparedCell): boolean {
  return taskDigest !== "";
}

function tally(cells: readonly ComparedCell[], byContent: boolean): Map<string, TrialTally> {
  const found = new Map<string, TrialTally>();
  for (const { taskId, taskDigest, status } of cells) {
    const key = byContent ? JSON.stringify([taskId, taskDigest]) : taskId;
    const task = found.get(key) ?? { taskId, valid: 0, passed: 0 };
    found.set(key, task);
    if (status !== "invalid") task.valid++;
    if (status === "pass") task.passed++;
  }
  return found;
}
