import { type CellTable, isCounted, isPassed } from "./cell-table.ts";

/** Per task: how many trials count, and how many of those passed. */
export interface TaskTallies {
  readonly counted: Uint32Array;
  readonly passed: Uint32Array;
}

/** Adds up the trials of every task. */
export function taskTallies(table: CellTable): TaskTallies {
  const tallies = { counted: new Uint32Array(table.tasks), passed: new Uint32Array(table.tasks) };
  for (let task = 0; task < table.tasks; task++) {
    let counted = 0;
    let passed = 0;
    for (let cell = task * table.runs; cell < (task + 1) * table.runs; cell++) {
      if (isCounted(table, cell)) counted++;
      if (isPassed(table, cell)) passed++;
    }
    tallies.counted[task] = counted;
    tallies.passed[task] = passed;
  }
  return tallies;
}
