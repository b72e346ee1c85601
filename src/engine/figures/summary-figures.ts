import type { Summary } from "../../contract/figures.ts";
import type { Counts } from "../../contract/result.ts";
import { partialScore, type ScoredCells } from "./partial-score.ts";
import { rateFigure } from "./rate-figure.ts";
import { repetitionFigures } from "./repetition-figures.ts";

export interface SummarySources extends ScoredCells {
  counts: Counts;
  latP95Norm: number | null;
}

/** The figures a skill is judged by, at full precision. */
export function summaryFigures(sources: SummarySources): Summary {
  const { cells, tallies, counts, latP95Norm } = sources;
  const { ended, counted: trials, passed, erred, faulty, retried } = tallies;
  const completionRate = rateFigure({ passed, trials });
  const errorRate = rateFigure({ passed: erred, trials });
  return {
    completionRate,
    partialScore: partialScore(sources, [...trials.keys()]),
    errorRate,
    errorRateWithRetries: rateFigure({ passed: faulty, trials }),
    retriedRate: rateFigure({ passed: retried, trials }),
    completionWithInvalid: rateFigure({ passed, trials: ended }),
    invalidShare: share(counts.invalid, counts.invalid + counts.total),
    caseCoverage: share(trials.filter((count) => count > 0).length, trials.length),
    compositeScore: compositeScore(completionRate.value, latP95Norm, errorRate.value),
    ...repetitionFigures(cells, tallies),
  };
}

/** A share; null where there is nothing to share, which is neither 0 nor 1. */
function share(part: number, all: number): { value: number | null; n: number } {
  return { value: all === 0 ? null : part / all, n: all };
}

function compositeScore(
  completionRate: number | null,
  latP95Norm: number | null,
  errorRate: number | null,
): number | null {
  if (completionRate === null || latP95Norm === null || errorRate === null) return null;
  return 0.5 * completionRate + 0.2 * (1 - latP95Norm) + 0.3 * (1 - errorRate);
}
