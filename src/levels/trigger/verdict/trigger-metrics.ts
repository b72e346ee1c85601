import type { Interval } from "../../../contract/document.ts";
import type { Baselines, TriggerMetrics } from "../../../contract/trigger-report.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { estimateShare } from "../../../engine/figures/rate-figure.ts";
import type { Bounds } from "../../../shared/statistics/intervals.ts";

/** A confusion matrix. */
export type Matrix = Pick<TriggerMetrics, "tp" | "fp" | "tn" | "fn" | "ties" | "asked">;

export function emptyMatrix(): Matrix {
  return { tp: 0, fp: 0, tn: 0, fn: 0, ties: 0, asked: 0 };
}

/** Counts answers to queries of one side. The number asked is counted separately. */
export function addAnswers(matrix: Matrix, side: QuerySide, answers: { yes: number; no: number }): void {
  if (side === "should_match") {
    matrix.tp += answers.yes;
    matrix.fn += answers.no;
  } else {
    matrix.fp += answers.yes;
    matrix.tn += answers.no;
  }
}

/** The figures of a matrix of queries. What would be 0/0 is null, never 0 or 1. */
export function triggerMetrics(matrix: Matrix): TriggerMetrics {
  const { tp, fp, tn, fn } = matrix;
  const intervals = {
    precision: estimateShare(tp, tp + fp).interval,
    recall: estimateShare(tp, tp + fn).interval,
    specificity: estimateShare(tn, tn + fp).interval,
  };
  const shares = shareMetrics(matrix);
  const mcc = shares.mcc === null ? null : correlationBounds(matrix, intervals);
  return { ...shares, intervals: { ...intervals, mcc } };
}

/** The same of a matrix of answers. Answers to one query resemble each other, so they have no interval. */
export function answerMetrics(matrix: Matrix): TriggerMetrics {
  const intervals = { precision: null, recall: null, specificity: null, mcc: null };
  return { ...shareMetrics(matrix), intervals };
}

function shareMetrics(matrix: Matrix): Omit<TriggerMetrics, "intervals"> {
  const { tp, fp, tn, fn, asked } = matrix;
  const all = tp + fp + tn + fn;
  const recall = share(tp, tp + fn);
  const specificity = share(tn, tn + fp);
  return {
    ...matrix,
    precision: share(tp, tp + fp),
    recall,
    specificity,
    f1: share(2 * tp, 2 * tp + fp + fn),
    accuracy: share(tp + tn, all),
    balancedAccuracy: recall === null || specificity === null ? null : (recall + specificity) / 2,
    mcc: correlation(matrix),
    coverage: share(all, asked),
  };
}

function share(part: number, all: number): number | null {
  return all === 0 ? null : part / all;
}

/** Matthews' correlation. Factors are paired so that a perfect matrix gives exactly 1 and its opposite exactly -1. */
function correlation({ tp, fp, tn, fn }: Pick<Matrix, "tp" | "fp" | "tn" | "fn">): number | null {
  const scale = Math.sqrt((tp + fp) * (tn + fn) * ((tp + fn) * (tn + fp)));
  if (scale === 0) return null;
  return Math.min(1, Math.max(-1, (tp * tn - fp * fn) / scale)) + 0;
}

/**
 * MCC has no interval of its own. For given sides it rises with recall and with specificity, so it is between its
 * values at both lower and at both upper bounds. A bootstrap would call 8 of 8 certain; this does not.
 */
function correlationBounds(
  { tp, fp, tn, fn }: Matrix,
  { recall, specificity }: { recall: Bounds | null; specificity: Bounds | null },
): Interval | null {
  if (recall === null || specificity === null) return null;
  const at = (end: keyof Bounds) => {
    const hits = recall[end] * (tp + fn);
    const quiet = specificity[end] * (tn + fp);
    return correlation({ tp: hits, fn: tp + fn - hits, tn: quiet, fp: tn + fp - quiet });
  };
  const [lower, upper] = [at("lower"), at("upper")];
  if (lower === null || upper === null) return null;
  const queries = tp + fp + tn + fn;
  const basis = { estimates: "cases-like-these", cases: queries, trials: queries, nEff: null } as const;
  return { lower, upper, level: 0.95, method: "wilson-neff", ...basis };
}

/** What the lexical router says about a query. */
interface LexicalAnswer {
  side: QuerySide;
  isYes: boolean;
}

/** Baselines over these queries; `lexical` is null where the lexical router is the judge. */
export function baselines(sides: readonly QuerySide[], lexical: readonly LexicalAnswer[] | null): Baselines {
  const always = (isYes: boolean) => lexicalMetrics(sides.map((side) => ({ side, isYes })));
  return { alwaysYes: always(true), alwaysNo: always(false), lexical: lexical && lexicalMetrics(lexical) };
}

function lexicalMetrics(answers: readonly LexicalAnswer[]): TriggerMetrics {
  const matrix = emptyMatrix();
  for (const { side, isYes } of answers) {
    matrix.asked++;
    addAnswers(matrix, side, { yes: Number(isYes), no: Number(!isYes) });
  }
  return triggerMetrics(matrix);
}
