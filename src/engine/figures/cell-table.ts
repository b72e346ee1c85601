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
  /** NaN where a replay gives no time. */
  readonly latencyMs: Float64Array;
  /** 1 where the cell was stopped for burning the CPU. */
  readonly isBurn: Uint8Array;
  /** 1 where an attempt failed, even if a later one did not. */
  readonly hadFault: Uint8Array;
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
    hadFault: new Uint8Array(size),
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
      table.latencyMs[cell] = result.latencyMs ?? Number.NaN;
      table.isBurn[cell] = result.cause === "cpu-limit" ? 1 : 0;
      table.hadFault[cell] = faultsIn(result) ? 1 : 0;
      return { task, cell };
    },
  };
}

/**
 * Whether the skill did something wrong; that we were stopped is not its fault. The attempt that passed or failed was an answer,
 * even an error: a task may expect one.
 */
function faultsIn({ status, attempts }: CellResult): boolean {
  const isJudged = status === "pass" || status === "fail";
  const before = isJudged ? attempts.slice(0, -1) : attempts;
  return before.some((attempt) => attempt.status === "error" || attempt.status === "timeout");
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

/** Per task: how many trials ended, how many of them count, and what came of those. */
export interface TaskTallies {
  readonly ended: Uint32Array;
  readonly counted: Uint32Array;
  readonly passed: Uint32Array;
  /** Errors and timeouts. */
  readonly erred: Uint32Array;
  /** The same, and trials that passed or failed only after an attempt had failed. */
  readonly faulty: Uint32Array;
  /** Trials that passed only after an attempt had failed. */
  readonly retried: Uint32Array;
}

/** Adds up the trials of every task. */
export function taskTallies(table: CellTable): TaskTallies {
  const count = () => new Uint32Array(table.tasks);
  const tallies = {
    ended: count(),
    counted: count(),
    passed: count(),
    erred: count(),
    faulty: count(),
    retried: count(),
  };
  const add = (name: keyof TaskTallies, task: number) => {
    (tallies[name][task] as number)++;
  };
  for (const [cell, code] of table.verdictCodes.entries()) {
    const verdict = verdicts[code];
    if (verdict === undefined) continue;
    const task = Math.floor(cell / table.runs);
    add("ended", task);
    if (verdict === "invalid") continue;
    add("counted", task);
    const isError = verdict === "error" || verdict === "timeout";
    const hadFault = table.hadFault[cell] === 1;
    if (verdict === "pass") add("passed", task);
    if (verdict === "pass" && hadFault) add("retried", task);
    if (isError) add("erred", task);
    if (isError || hadFault) add("faulty", task);
  }
  return tallies;
}
