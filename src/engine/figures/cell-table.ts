import type { PlannedCase } from "../../contract/cell.ts";
import { type CellResult, type Counts, verdicts } from "../../contract/result.ts";

/** What the figures need of every cell, in a few bytes each. A cell's index is its task's index · `runs` + trial − 1. */
export interface CellTable {
  readonly tasks: number;
  readonly runs: number;
  /** Index in `verdicts`, or `noResult`. */
  readonly verdictCodes: Uint8Array;
  /** 0 where there is no answer: error, timeout, invalid, no result. */
  readonly scores: Float64Array;
  readonly beganAtMs: Float64Array;
  readonly latencyMs: Float64Array;
  /** 1 where the cell was stopped for burning the CPU. */
  readonly isBurn: Uint8Array;
  /** By task. */
  readonly weights: Float64Array;
  /** Adds a result and returns the indexes of its task and its cell. */
  add(result: CellResult): { task: number; cell: number };
}

const noResult = 255;
const passCode = verdicts.indexOf("pass");
const invalidCode = verdicts.indexOf("invalid");

/** A table for every cell of these tasks. Indexes depend on the plan alone, so results may come in any order. */
export function cellTable(cases: readonly Pick<PlannedCase, "id" | "weight">[], runs: number): CellTable {
  const indexById = new Map(cases.map(({ id }, index) => [id, index]));
  const size = cases.length * runs;
  const table = {
    tasks: cases.length,
    runs,
    verdictCodes: new Uint8Array(size).fill(noResult),
    scores: new Float64Array(size),
    beganAtMs: new Float64Array(size),
    latencyMs: new Float64Array(size),
    isBurn: new Uint8Array(size),
    weights: Float64Array.from(cases, ({ weight }) => weight),
  };
  return {
    ...table,
    add(result) {
      const task = indexById.get(result.caseId);
      if (task === undefined || result.trial < 1 || result.trial > runs)
        throw new Error(`no cell is planned for case ${result.caseId}, trial ${result.trial}`);
      const cell = task * runs + result.trial - 1;
      if (table.verdictCodes[cell] !== noResult)
        throw new Error(`case ${result.caseId}, trial ${result.trial} has a result already`);
      const isAnswered = result.status === "pass" || result.status === "fail";
      table.verdictCodes[cell] = verdicts.indexOf(result.status);
      table.scores[cell] = isAnswered ? (result.score ?? 0) : 0;
      table.beganAtMs[cell] = result.beganAtMs;
      table.latencyMs[cell] = result.latencyMs;
      table.isBurn[cell] = result.cause === "cpu-limit" ? 1 : 0;
      return { task, cell };
    },
  };
}

/** Whether this cell is part of `total`: it has a result that is not invalid. */
export function isCounted(table: CellTable, cell: number): boolean {
  const code = table.verdictCodes[cell];
  return code !== noResult && code !== invalidCode;
}

export function isPassed(table: CellTable, cell: number): boolean {
  return table.verdictCodes[cell] === passCode;
}

/** How many cells ended each way. */
export function countVerdicts(table: CellTable): Counts {
  const counts: Counts = { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
  for (const code of table.verdictCodes) {
    const verdict = verdicts[code];
    if (verdict === undefined) continue;
    counts[verdict]++;
    if (verdict !== "invalid") counts.total++;
  }
  return counts;
}

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
