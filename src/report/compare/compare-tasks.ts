import type { TaskChange } from "../../contract/diff.ts";
import type { TriedTask } from "./compared-side.ts";

export interface PairedTasks {
  /** Every task that has valid trials on both sides, in the order of the first. */
  tasks: PairedTask[];
  /** Tasks that are on one side only, have changed, or have no valid trial on one side. */
  unpaired: number;
}

export interface PairedTask extends TaskChange {
  /** Effective valid trials on the side that has fewer. */
  trials: number;
}

/** Pairs the tasks of two reports by id and content; by id alone where a side does not record the content. */
export function pairTasks(a: readonly TriedTask[], b: readonly TriedTask[]): PairedTasks {
  const byContent = a.some(hasContent) && b.some(hasContent);
  const before = gather(a, byContent);
  const after = gather(b, byContent);
  const tasks: PairedTask[] = [];
  for (const [key, left] of before) {
    const right = after.get(key);
    if (right === undefined || left.valid === 0 || right.valid === 0) continue;
    tasks.push({
      taskId: left.taskId,
      ...(right.title !== undefined && { title: right.title }),
      a: left.passed / left.valid,
      b: right.passed / right.valid,
      trials: Math.min(taskWorth(left), taskWorth(right)),
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

function hasContent({ content }: TriedTask): boolean {
  return content !== "";
}

function taskWorth({ valid, worth = valid }: TriedTask): number {
  return worth;
}

/** Tasks by their pairing key; tasks with the same key are summed. */
function gather(tasks: readonly TriedTask[], byContent: boolean): Map<string, TriedTask> {
  const found = new Map<string, TriedTask>();
  for (const task of tasks) {
    const key = byContent ? JSON.stringify([task.taskId, task.content]) : task.taskId;
    const known = found.get(key);
    const [valid, passed] = [task.valid + (known?.valid ?? 0), task.passed + (known?.passed ?? 0)];
    found.set(key, { ...task, valid, passed });
  }
  return found;
}
