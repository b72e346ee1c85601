import type { Interval } from "../../contract/document.ts";
import type { Summary } from "../../contract/figures.ts";
import type { MetricValue } from "../../contract/level.ts";
import { spread } from "../../shared/statistics/numbers.ts";
import { passCurves } from "../../shared/statistics/pass-at-k.ts";
import { type CellTable, isCounted, isPassed, type TaskTallies } from "./cell-table.ts";
import { singleRateFigure } from "./rate-figure.ts";

export type RepetitionFigures = Pick<
  Summary,
  "consistencyScore" | "flakeRate" | "passAtK" | "passHatK" | "passAtKIntervals"
>;

/** The figures that need repeated runs: how consistent a skill is, and what several tries are worth. All null with one run. */
export function repetitionFigures(table: CellTable, tallies: TaskTallies): RepetitionFigures {
  if (table.runs === 1)
    return {
      consistencyScore: null,
      flakeRate: { value: null },
      passAtK: null,
      passHatK: null,
      passAtKIntervals: null,
    };
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

/** The share of the tasks tried twice or more that neither always passed nor always failed. */
function flakeRate({ counted, passed }: TaskTallies): MetricValue {
  let repeated = 0;
  let flaky = 0;
  for (const [task, trials] of counted.entries()) {
    if (trials < 2) continue;
    repeated++;
    const passes = passed[task] as number;
    if (passes > 0 && passes < trials) flaky++;
  }
  return singleRateFigure(flaky, repeated);
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
  return {
    passAtK: meansByK(atSums, tasks),
    passHatK: meansByK(hatSums, tasks),
    passAtKIntervals: intervalsByK(atSums, tasks),
  };
}

/** One value per task, so as many as there are tasks. */
function intervalsByK(sums: Float64Array, tasks: Uint32Array): Record<string, Interval> {
  const intervals: Record<string, Interval> = {};
  for (const [drawn, sum] of sums.entries()) {
    const { interval } = singleRateFigure(sum, tasks[drawn] as number);
    if (interval != null) intervals[drawn + 1] = interval;
  }
  return intervals;
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
