import type { MetricDiff, Sense } from "../../contract/diff.ts";
import type { Metric } from "../../contract/level.ts";
import { hodgesLehmann } from "../../shared/statistics/hodges-lehmann.ts";
import { type Bounds, bootstrap } from "../../shared/statistics/intervals.ts";
import { percentile, roundMs, roundShare, roundUsd } from "../../shared/statistics/numbers.ts";
import { decideRates, type PairedCounts, testValues } from "../../shared/statistics/paired-test.ts";
import type { PairedTask } from "./compare-tasks.ts";
import { pooledP95 } from "./pooled-p95.ts";

type Better = Metric["better"];

/** Fewer cases cannot show a difference reliably. */
const minCases = 6;
const minTrials = 3;

/** What has to be the same before times are compared; null where it is. */
export interface RowConditions {
  seed: number;
  noun: readonly [one: string, many: string];
  /** Why times say nothing about the skills; null where they do. */
  timeProblem: string | null;
}

/** A row that has no test, and why. */
export function untested(a: number | null, b: number | null, reason: string, round = roundShare): MetricDiff {
  const delta = a === null || b === null ? null : round(b - a) + 0;
  const sense = delta === 0 ? "same" : "not-tested";
  return { a: round(a), b: round(b), delta, sense, test: null, p: null, interval: null, reason };
}

/** A share of trials, tested by case as the pass rate is: the mean of the cases' rates. */
export function rateRow(
  counts: readonly PairedCounts[],
  better: Better,
  { seed, noun, trials }: Pick<RowConditions, "seed" | "noun"> & { trials: number },
): MetricDiff {
  const mean = (side: "a" | "b") =>
    counts.reduce((sum, one) => sum + one[side].hits / one[side].trials, 0) / counts.length;
  if (counts.length === 0) return untested(null, null, `no ${noun[0]} to compare`);
  const [a, b] = [mean("a"), mean("b")];
  if (counts.length < minCases) return untested(a, b, fewCases(noun));
  const { test, certain, direction } = decideRates(counts, trials, seed);
  return {
    a: roundShare(a),
    b: roundShare(b),
    delta: roundShare(test.mean),
    sense: sense(test.mean, direction, better),
    test: certain === null ? "sign-flip" : "determinism",
    p: roundP(certain?.p ?? test.p),
    interval: rounded(test.interval, roundShare),
  };
}

/** The typical latency of a case: the median of its answered trials. Cases count alike, however slow they are. */
export function latencyRow(tasks: readonly PairedTask[], conditions: RowConditions): MetricDiff {
  const { noun, timeProblem } = conditions;
  const timed = tasks.filter(({ a, b }) => Math.min(a.answeredMs.length, b.answeredMs.length) > 0);
  const medians = timed.map(({ a, b }) => ({ a: median(a.answeredMs), b: median(b.answeredMs) }));
  const often = tasks.filter(({ a, b }) => Math.min(a.answeredMs.length, b.answeredMs.length) >= minTrials);
  const problem =
    timeProblem ??
    (tasks.length < minCases
      ? fewCases(noun)
      : often.length < minCases || often.length < 0.8 * tasks.length
        ? `${tasks.length - often.length} of ${tasks.length} ${noun[1]} have fewer than ${minTrials} answered trials on a side`
        : null);
  const tested =
    problem === null
      ? often.map(({ a, b }) => ({ a: median(a.answeredMs), b: median(b.answeredMs) }))
      : medians;
  return ratioRow(tested, {
    ...conditions,
    problem,
    round: roundMs,
    // A tenth, and what a person or a program could notice.
    isLarge: (ratio, differences) => Math.max(ratio, 1 / ratio) >= 1.1 && Math.abs(median(differences)) >= 5,
  });
}

/** Mean cost or tokens of a case. */
export function costRow(
  tasks: readonly PairedTask[],
  figure: "costUsd" | "tokens",
  conditions: RowConditions,
): MetricDiff | null {
  const isKnown = ({ a, b }: PairedTask) => a[figure] !== null && b[figure] !== null;
  const known = tasks.filter(isKnown);
  if (!tasks.some(({ a, b }) => (a[figure] ?? 0) > 0 || (b[figure] ?? 0) > 0)) return null;
  const what = figure === "costUsd" ? "cost" : "number of tokens";
  const means = known.map(({ a, b }) => ({
    a: (a[figure] ?? 0) / a.valid,
    b: (b[figure] ?? 0) / b.valid,
  }));
  const { noun } = conditions;
  const problem =
    known.length < tasks.length
      ? `the ${what} of some trials is unknown`
      : tasks.length < minCases
        ? fewCases(noun)
        : null;
  return ratioRow(means, {
    ...conditions,
    problem,
    round: figure === "costUsd" ? roundUsd : roundMs,
    isLarge: (ratio) => Math.max(ratio, 1 / ratio) >= 1.05,
  });
}

interface RatioFacts extends RowConditions {
  problem: string | null;
  round: (value: number) => number;
  isLarge: (ratio: number, differences: number[]) => boolean;
}

/** Figures of which less is better and that differ between cases by orders of magnitude: their ratios are tested, by case. */
function ratioRow(
  pairs: readonly { a: number; b: number }[],
  { seed, noun, problem, round, isLarge }: RatioFacts,
): MetricDiff {
  const positive = pairs.filter(({ a, b }) => a > 0 && b > 0);
  if (positive.length === 0)
    return untested(null, null, problem ?? `no ${noun[0]} has a figure on both sides`);
  const typical = (side: "a" | "b") =>
    Math.exp(positive.reduce((sum, pair) => sum + Math.log(pair[side]), 0) / positive.length);
  const [a, b] = [typical("a"), typical("b")];
  const zero = positive.length < pairs.length ? `some ${noun[1]} have a figure of 0` : null;
  const reason = problem ?? zero;
  if (reason !== null)
    return { ...untested(a, b, reason, round as typeof roundMs), ratio: roundShare(b / a) };
  const logs = Float64Array.from(positive, (pair) => Math.log(pair.b / pair.a));
  const test = testValues(logs, seed);
  const { estimate, interval } = hodgesLehmann(logs);
  const ratio = Math.exp(estimate);
  const differences = positive.map((pair) => pair.b - pair.a);
  const bounds = interval && { lower: Math.exp(interval.lower), upper: Math.exp(interval.upper) };
  const isBeyond = bounds !== null && (test.mean > 0 ? bounds.lower > 1 : bounds.upper < 1);
  const isClear = isBeyond && isLarge(ratio, differences);
  return {
    a: round(a),
    b: round(b),
    delta: round(b - a) + 0,
    sense: sense(test.mean, isClear ? test.direction : 0, "down"),
    test: "sign-flip",
    p: roundP(test.p),
    ratio: roundShare(ratio),
    interval: rounded(bounds, roundShare),
  };
}

/** Fewer do not show what happens once in twenty times. */
const tailCases = 20;
const tailTrials = 100;

/** The slowest twentieth of all trials, whatever came of them. */
export function tailRow(
  tasks: readonly PairedTask[],
  { seed, noun, timeProblem }: RowConditions,
): MetricDiff {
  const [before, after] = [
    pooledP95(tasks.map(({ a }) => a.allMs)),
    pooledP95(tasks.map(({ b }) => b.allMs)),
  ];
  const [a, b] = [before.value, after.value];
  const trials = Math.min(before.trials, after.trials);
  const problem =
    timeProblem ??
    (tasks.length < tailCases
      ? `fewer than ${tailCases} ${noun[1]}`
      : trials < tailTrials
        ? `fewer than ${tailTrials} trials on a side`
        : null);
  if (problem !== null || a === null || b === null)
    return untested(a, b, problem ?? "no trials", roundMs as typeof roundShare);
  const interval = bootstrap(tasks.length, (drawn) => after.ofDrawn(drawn) - before.ofDrawn(drawn), seed);
  const direction = interval === null ? 0 : interval.lower > 0 ? 1 : interval.upper < 0 ? -1 : 0;
  const delta = roundMs(b - a) + 0;
  return {
    a: roundMs(a),
    b: roundMs(b),
    delta,
    // Never against the sign of the change.
    sense: sense(b - a, direction === Math.sign(b - a) ? direction : 0, "down"),
    test: "bootstrap",
    p: null,
    interval: rounded(interval, roundMs),
  };
}

function sense(change: number, direction: number, better: Better): Sense {
  if (direction !== 0) return direction > 0 === (better === "up") ? "better" : "worse";
  return change === 0 ? "same" : "no-difference-found";
}

function fewCases([, many]: RowConditions["noun"]): string {
  return `fewer than ${minCases} ${many}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((percentile(sorted, 0.5) ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
}

function rounded(bounds: Bounds | null, round: (value: number) => number): Bounds | null {
  return bounds && { lower: round(bounds.lower) + 0, upper: round(bounds.upper) + 0 };
}

/** Small ones stay distinguishable. */
export function roundP(p: number): number {
  return Number(p.toPrecision(4));
}
