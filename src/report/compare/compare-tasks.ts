import type { NotCompared, TaskChange } from "../../contract/diff.ts";
import type { Bounds } from "../../shared/statistics/intervals.ts";
import { roundShare } from "../../shared/statistics/numbers.ts";
import type { TriedTask } from "./compared-side.ts";

/** A case that has valid trials on both sides. */
export interface PairedTask {
  a: TriedTask;
  b: TriedTask;
}

export interface PairedTasks {
  /** In the order of the first report. */
  tasks: PairedTask[];
  notCompared: NotCompared;
  /** The share of the first report's cases that was compared; null where it has none. */
  coverage: number | null;
}

/** Pairs the tasks of two reports by id and content. A report that does not record the content pairs with none. */
export function pairTasks(allA: readonly TriedTask[], allB: readonly TriedTask[]): PairedTasks {
  // What one report left out of its figures is not compared, whatever the other did.
  const quarantined = new Set(
    [...allA, ...allB].flatMap(({ taskId, isQuarantined }) => (isQuarantined === true ? [taskId] : [])),
  );
  const counted = ({ taskId }: TriedTask) => !quarantined.has(taskId);
  const [a, b] = [allA.filter(counted), allB.filter(counted)];
  const key = ({ taskId, content }: TriedTask) => JSON.stringify([taskId, content]);
  const before = new Map(a.map((task) => [key(task), task]));
  const after = new Map(b.map((task) => [key(task), task]));
  const idsBefore = new Set(a.map(({ taskId }) => taskId));
  const idsAfter = new Set(b.map(({ taskId }) => taskId));
  const tasks: PairedTask[] = [];
  const [edited, onlyA, invalid] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [name, left] of before) {
    const right = after.get(name);
    if (right === undefined || left.content === "")
      (idsAfter.has(left.taskId) ? edited : onlyA).add(left.taskId);
    else if (left.valid === 0 || right.valid === 0) invalid.add(left.taskId);
    else tasks.push({ a: left, b: right });
  }
  // What only the second report put into quarantine is missing from the first one's cases, or it would hide what broke.
  const counting = new Set(allA.filter(({ isQuarantined }) => isQuarantined !== true).map(key)).size;
  const onlyB = new Set(b.map(({ taskId }) => taskId).filter((taskId) => !idsBefore.has(taskId)));
  // A case that changed during a run has two contents; one of them may still pair.
  for (const { a: one } of tasks) edited.delete(one.taskId);
  return {
    tasks,
    notCompared: {
      edited: [...edited],
      onlyA: [...onlyA],
      onlyB: [...onlyB],
      invalid: [...invalid],
      ...(quarantined.size > 0 && { quarantined: [...quarantined] }),
    },
    coverage: counting === 0 ? null : tasks.length / counting,
  };
}

/** The pass rates of a case, before and after. */
export function passRates({ a, b }: PairedTask): TaskChange {
  return {
    taskId: a.taskId,
    ...(b.title !== undefined && { title: b.title }),
    a: a.passed / a.valid,
    b: b.passed / b.valid,
  };
}

/** A task that always passed and never does now. */
export function isBroken({ a, b }: TaskChange): boolean {
  return a === 1 && b === 0;
}

/** A task that never passed and always does now. */
export function isFixed({ a, b }: TaskChange): boolean {
  return a === 0 && b === 1;
}

/** Effective trials of a case on the side that has fewer. */
export function pairTrials({ a, b }: PairedTask): number {
  return Math.min(a.worth ?? a.valid, b.worth ?? b.valid);
}

/** The least valid trials that a compared case has on either side; 0 where none was compared. */
export function leastTrials(tasks: readonly PairedTask[]): number {
  return tasks.length === 0 ? 0 : Math.min(...tasks.map(({ a, b }) => Math.min(a.valid, b.valid)));
}

/** As the document has them, so that everything shows the same digits. */
export function roundedShares({ lower, upper }: Bounds): Bounds {
  return { lower: roundShare(lower) + 0, upper: roundShare(upper) + 0 };
}

/** Of the trials of compared cases, the share that has a verdict, on the side where it is smaller; null where there are none. */
export function decidedShare(tasks: readonly PairedTask[]): number | null {
  const share = (side: "a" | "b") => {
    const valid = tasks.reduce((sum, pair) => sum + pair[side].valid, 0);
    return valid / tasks.reduce((sum, pair) => sum + pair[side].tried, 0);
  };
  return tasks.length === 0 ? null : Math.min(share("a"), share("b"));
}
