import type { Summary } from "../../contract/figures.ts";
import { spread } from "../../shared/statistics/numbers.ts";
import { passCurves } from "../../shared/statistics/pass-at-k.ts";
import { type CellTable, isCounted, isPassed, type TaskTallies } from "./cell-table.ts";

export type RepetitionFigures = Pick<Summary, "consistencyScore" | "flakeRate" | "passAtK" | "passHatK">;

/** The figures that need repeated runs: how consistent a skill is, and what several tries are worth. All null with one run. */
export function repetitionFigures(table: CellTable, tallies: TaskTallies): RepetitionFigures {
  if (table.runs === 1) return { consistencyScore: null, flakeRate: null, passAtK: null, passHatK: null };
  return {
    consistencyScore: consistencyScore(table),
    flakeRate: flakeRate(tallies),
    ...passFigures(table.runs, tallies),
  };
}

/** Runs in which nothing counted have no rate; one rate alone says nothing about consistency. */
function consistencyScore(table: CellTable): number | null {
  const rates: number[] = [];
  for (let run = 0; run < table.runs; run++) {
    let counted = 0;
    let passed = 0;
    for (let cell = run; cell < table.verdictCodes.length; cell += table.runs) {
      if (isCounted(table, cell)) counted++;
      if (isPassed(table, cell)) passed++;
    }
    if (counted > 0) rates.push(passed / counted);
  }
  return rates.length < 2 ? null : 1 - (spread(rates) as number);
}

function flakeRate({ counted, passed }: TaskTallies): number | null {
  let repeated = 0;
  let flaky = 0;
  for (const [task, trials] of counted.entries()) {
    if (trials < 2) continue;
    repeated++;
    const passes = passed[task] as number;
    if (passes > 0 && passes < trials) flaky++;
  }
  return repeated === 0 ? null : flaky / repeated;
}

function passFigures(runs: number, { counted, passed }: TaskTallies) {
  const tasks = new Uint32Array(runs);
  const atSums = new Float64Array(runs);
  const hatSums = new Float64Array(runs);
  for (const [task, trials] of counted.entries()) {
    const { atK, hatK } = passCurves(trials, passed[task] as number);
    for (let drawn = 0; drawn < trials; drawn++) {
      (tasks[drawn] as number)++;
      (atSums[drawn] as number) += atK[drawn] as number;
      (hatSums[drawn] as number) += hatK[drawn] as number;
    }
  }
  return { passAtK: meansByK(atSums, tasks), passHatK: meansByK(hatSums, tasks) };
}

/** A k that no task has trials enough for has no key. */
function meansByK(sums: Float64Array, tasks: Uint32Array): Record<string, number> {
  const means: Record<string, number> = {};
  for (const [drawn, sum] of sums.entries()) {
    const count = tasks[drawn] as number;
    if (count > 0) means[drawn + 1] = sum / count;
  }
  return means;
}
