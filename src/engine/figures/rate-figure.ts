import type { Interval } from "../../contract/document.ts";
import type { MetricValue } from "../../contract/level.ts";
import { type CaseInterval, type CaseTallies, caseInterval } from "../../shared/statistics/case-interval.ts";
import { wilson } from "../../shared/statistics/intervals.ts";

/** A rate over cases with its intervals: how it would be on cases like these, and in a rerun of exactly these. */
export function rateFigure(tallies: CaseTallies): MetricValue {
  const { passed, trials, weights } = tallies;
  let [part, all, tried] = [0, 0, 0];
  for (let at = 0; at < trials.length; at++) {
    const weight = weights?.[at] ?? 1;
    const count = trials[at] ?? 0;
    part += weight * (passed[at] ?? 0);
    all += weight * count;
    tried += count;
  }
  if (all === 0) return { value: null, interval: null, thisSuite: null, n: 0 };
  const found = caseInterval(tallies);
  const interval = found && forCasesLikeThese(found);
  const value = part / all;
  return { value, interval, thisSuite: rerunInterval(value, interval), n: tried };
}

/** What a rerun of exactly these cases could give: here trials are the sample. Null where each was tried once. */
export function rerunInterval(rate: number | null, interval: Interval | null): Interval | null {
  if (rate === null || interval === null || interval.method !== "wilson-neff") return null;
  const { cases, trials } = interval;
  const bounds = trials > cases ? wilson(rate * trials, trials) : null;
  return (
    bounds && {
      ...bounds,
      level: 0.95,
      method: "wilson",
      estimates: "this-suite",
      cases,
      trials,
      nEff: trials,
    }
  );
}

/** A rate over cases that were decided once each. */
export function singleRateFigure(passed: number, cases: number): MetricValue {
  const bounds = wilson(passed, cases);
  const interval = bounds && forCasesLikeThese({ ...bounds, cases, trials: cases, nEff: cases });
  return { value: cases === 0 ? null : passed / cases, interval, n: cases };
}

/** A share of cases that were counted once each, with its interval. */
export function estimateShare(count: number, of: number) {
  const { value: rate, interval = null } = singleRateFigure(count, of);
  return { count, of, rate, interval };
}

function forCasesLikeThese(found: CaseInterval): Interval {
  const { lower, upper, cases, trials, nEff } = found;
  return {
    lower,
    upper,
    level: 0.95,
    method: "wilson-neff",
    estimates: "cases-like-these",
    cases,
    trials,
    nEff,
  };
}
