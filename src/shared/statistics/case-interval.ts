import { t95, z95 } from "./distributions.ts";
import { type Bounds, wilson } from "./intervals.ts";

/** The 95 % interval of a rate over cases, and what it rests on. */
export interface CaseInterval extends Bounds {
  /** Cases with at least one valid trial. */
  cases: number;
  trials: number;
  /** How many independent trials would say as much. */
  nEff: number;
}

/** What each case came to: `passed[k]` of `trials[k]` valid trials, or the sum of their scores. Cases without a trial do not count. */
export interface CaseTallies {
  passed: ArrayLike<number>;
  trials: ArrayLike<number>;
  /** Left out, all cases weigh the same. */
  weights?: ArrayLike<number> | undefined;
}

/** Sums over the cases that count; `valid` and `successes` are weighted. */
interface Sums {
  cases: number;
  trials: number;
  valid: number;
  successes: number;
  /** Kish's effective number of cases and of trials: their numbers, where all weigh the same. */
  effectiveCases: number;
  effectiveTrials: number;
  isSingle: boolean;
  isUniform: boolean;
}

/**
 * Wilson's interval over the effective n. Trials of one case resemble each other, so they count as the independent trials they
 * are worth: at least one per case, at most all. Null where nothing was tried.
 */
export function caseInterval(tallies: CaseTallies): CaseInterval | null {
  const sums = sumCases(tallies);
  if (sums.cases === 0) return null;
  const nEff = effectiveTrials(tallies, sums);
  const rate = sums.successes / sums.valid;
  const bounds = wilson(rate * nEff, nEff);
  return bounds && { ...bounds, cases: sums.cases, trials: sums.trials, nEff };
}

function sumCases({ passed, trials, weights }: CaseTallies): Sums {
  const sums = { cases: 0, trials: 0, valid: 0, successes: 0, isSingle: true };
  let [weightSum, weightSquares, trialSquares] = [0, 0, 0];
  let [nonePassed, allPassed] = [true, true];
  for (let at = 0; at < trials.length; at++) {
    const [x, m, w] = [passed[at] ?? 0, trials[at] ?? 0, weights?.[at] ?? 1];
    if (m === 0 || w === 0) continue;
    sums.cases++;
    sums.trials += m;
    sums.valid += w * m;
    sums.successes += w * x;
    if (m > 1) sums.isSingle = false;
    if (x > 0) nonePassed = false;
    if (x < m) allPassed = false;
    weightSum += w;
    weightSquares += w ** 2;
    trialSquares += w ** 2 * m;
  }
  return {
    ...sums,
    effectiveCases: weightSum ** 2 / weightSquares,
    effectiveTrials: sums.valid ** 2 / trialSquares,
    isUniform: nonePassed || allPassed,
  };
}

function effectiveTrials(tallies: CaseTallies, sums: Sums): number {
  const { cases, effectiveCases, isSingle, isUniform } = sums;
  if (isSingle || isUniform || cases === 1) return effectiveCases;
  const steady = shareOfVariance(tallies, sums) * (z95 / t95(cases - 1)) ** 2;
  return Math.max(effectiveCases, Math.min(steady, sums.effectiveTrials));
}

/**
 * p(1 − p)/SE² with the variance between cases. One pseudo-case that passed always and one that never did keep a sample with few
 * failing cases from looking steadier than it is; the result is scaled back to the real trials.
 */
function shareOfVariance({ passed, trials, weights }: CaseTallies, sums: Sums): number {
  const { cases, valid, successes } = sums;
  const mean = valid / cases;
  const [withPseudo, casesWithPseudo] = [valid + 2 * mean, cases + 2];
  const rate = (successes + mean) / withPseudo;
  let squares = mean ** 2 * ((1 - rate) ** 2 + rate ** 2);
  for (let at = 0; at < trials.length; at++) {
    const weight = weights?.[at] ?? 1;
    squares += (weight * ((passed[at] ?? 0) - rate * (trials[at] ?? 0))) ** 2;
  }
  const variance = ((casesWithPseudo / (casesWithPseudo - 1)) * squares) / withPseudo ** 2;
  return Math.min(sums.effectiveTrials, ((valid / withPseudo) * rate * (1 - rate)) / variance);
}
