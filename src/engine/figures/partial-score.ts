import type { Benchmark } from "../../contract/benchmark.ts";
import type { Interval } from "../../contract/document.ts";
import { type Bounds, bootstrap, ratioStatistic } from "../../shared/statistics/intervals.ts";
import { passAtK } from "../../shared/statistics/pass-at-k.ts";
import type { CellTable, TaskTallies } from "./cell-table.ts";

/** A score as a fraction per task, so that a mean over tasks and a resample of tasks are the same sum. */
export interface TaskScores {
  sums: Float64Array;
  weights: Float64Array;
}

export interface ScoredCells {
  cells: CellTable;
  tallies: TaskTallies;
  scoring: Pick<Benchmark, "scoringMethod" | "k">;
}

/** What each of these tasks adds to the partial score; tasks with too few counted trials are left out. */
export function taskScores({ cells, tallies, scoring }: ScoredCells, tasks: readonly number[]): TaskScores {
  const trialsNeeded = scoring.scoringMethod === "pass_at_k" ? scoring.k : 1;
  const scored = tasks.filter((task) => (tallies.counted[task] as number) >= trialsNeeded);
  const scores = { sums: new Float64Array(scored.length), weights: new Float64Array(scored.length) };
  for (const [index, task] of scored.entries()) {
    const counted = tallies.counted[task] as number;
    if (scoring.scoringMethod === "pass_at_k") {
      scores.sums[index] = passAtK(counted, tallies.passed[task] as number, scoring.k);
      scores.weights[index] = 1;
    } else {
      const weight = scoring.scoringMethod === "weighted_mean" ? (cells.weights[task] as number) : 1;
      scores.sums[index] = weight * scoreSum(cells, task);
      scores.weights[index] = weight * counted;
    }
  }
  return scores;
}

/** The partial score itself; null where no task counts. */
export function partialScore({ sums, weights }: TaskScores): number | null {
  return sums.length === 0 ? null : sum(sums) / sum(weights);
}

/** The confidence interval of the partial score over resampled tasks; null below two tasks. */
export function partialScoreInterval({ sums, weights }: TaskScores, seed: number): Interval | null {
  const bounds = sameEverywhere(sums, weights) ?? bootstrap(sums.length, ratioStatistic(sums, weights), seed);
  return bounds && { ...bounds, level: 0.95, method: "bootstrap", seed };
}

/** Where every task has the same mean, every resample has it too, and drawing them would only take time. */
function sameEverywhere(sums: Float64Array, weights: Float64Array): Bounds | null {
  const mean = (sums[0] as number) / (weights[0] as number);
  const isSame = sums.length >= 2 && sums.every((sum, task) => sum === mean * (weights[task] as number));
  return isSame ? { lower: mean, upper: mean } : null;
}

/** Cells that do not count add their 0. */
function scoreSum(table: CellTable, task: number): number {
  let total = 0;
  for (let cell = task * table.runs; cell < (task + 1) * table.runs; cell++)
    total += table.scores[cell] as number;
  return total;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
