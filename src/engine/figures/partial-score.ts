import type { Benchmark } from "../../contract/benchmark.ts";
import type { MetricValue } from "../../contract/level.ts";
import type { CaseTallies } from "../../shared/statistics/case-interval.ts";
import { passAtK } from "../../shared/statistics/pass-at-k.ts";
import type { CellTable, TaskTallies } from "./cell-table.ts";
import { rateFigure } from "./rate-figure.ts";

export interface ScoredCells {
  cells: CellTable;
  tallies: TaskTallies;
  scoring: Pick<Benchmark, "scoringMethod" | "k">;
}

/** The mean score of these tasks; those with too few counted trials are left out. */
export function partialScore(sources: ScoredCells, tasks: readonly number[]): MetricValue {
  const { rerunnable, ...tallies } = scoreTallies(sources, tasks);
  const figure = rateFigure(tallies);
  return rerunnable ? figure : { ...figure, thisSuite: null };
}

/**
 * What each task scored, as if its scores were passes: a score lies in 0..1, so its variance is at most that of passing, and the
 * interval is conservative. A pass@k is one value per task.
 */
function scoreTallies(
  { cells, tallies, scoring: { scoringMethod, k } }: ScoredCells,
  tasks: readonly number[],
): CaseTallies & { rerunnable: boolean } {
  const isPassAtK = scoringMethod === "pass_at_k";
  const scored = tasks.filter((task) => (tallies.counted[task] as number) >= (isPassAtK ? k : 1));
  if (isPassAtK)
    return {
      passed: scored.map((task) =>
        passAtK(tallies.counted[task] as number, tallies.passed[task] as number, k),
      ),
      trials: scored.map(() => 1),
      rerunnable: false,
    };
  return {
    passed: scored.map((task) => scoreSum(cells, task)),
    trials: scored.map((task) => tallies.counted[task] as number),
    ...(scoringMethod === "weighted_mean" && {
      weights: scored.map((task) => cells.weights[task] as number),
    }),
    rerunnable: true,
  };
}

/** Cells that do not count add their 0. */
function scoreSum(table: CellTable, task: number): number {
  let total = 0;
  for (let cell = task * table.runs; cell < (task + 1) * table.runs; cell++)
    total += table.scores[cell] as number;
  return total;
}
