import type { Summary } from "../../contract/figures.ts";
import type { Counts } from "../../contract/result.ts";
import { wilson } from "../../shared/statistics/intervals.ts";
import { partialScore, partialScoreInterval, type ScoredCells, taskScores } from "./partial-score.ts";
import { repetitionFigures } from "./repetition-figures.ts";

export interface SummarySources extends ScoredCells {
  counts: Counts;
  latP95Norm: number | null;
  seed: number;
}

/** The figures a skill is judged by, at full precision. */
export function summaryFigures(sources: SummarySources): Summary {
  const { cells, tallies, counts, latP95Norm, seed } = sources;
  const completionRate = rate(counts.pass, counts.total);
  const errorRate = rate(counts.error + counts.timeout, counts.total);
  const completionBounds = wilson(counts.pass, counts.total);
  const scores = taskScores(sources, [...tallies.counted.keys()]);
  const { consistencyScore, flakeRate, passAtK, passHatK } = repetitionFigures(cells, tallies);
  return {
    completionRate,
    partialScore: partialScore(scores),
    errorRate,
    consistencyScore,
    flakeRate,
    compositeScore: compositeScore(completionRate, latP95Norm, errorRate),
    intervals: {
      completionRate: completionBounds && { ...completionBounds, level: 0.95, method: "wilson" },
      partialScore: partialScoreInterval(scores, seed),
    },
    passAtK,
    passHatK,
  };
}

/** A share; null where there is nothing to share, which is neither 0 nor 1. */
export function rate(part: number, total: number): number | null {
  return total === 0 ? null : part / total;
}

function compositeScore(
  completionRate: number | null,
  latP95Norm: number | null,
  errorRate: number | null,
): number | null {
  if (completionRate === null || latP95Norm === null || errorRate === null) return null;
  return 0.5 * completionRate + 0.2 * (1 - latP95Norm) + 0.3 * (1 - errorRate);
}
