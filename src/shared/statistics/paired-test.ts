import { binomialTail } from "./compare-counts.ts";
import { t95 } from "./distributions.ts";
import type { Bounds } from "./intervals.ts";
import { commonDivisor, signFlip, signFlipOfAny } from "./sign-flip.ts";

/** The largest p at which a difference counts. The mid-p rule is kept at 5 % of false verdicts or less by asking for a little more. */
export const decisionLevel = 0.045;

/** Differences of cases, tested: the mean, how far it could be off, and how likely chance alone gives one this large. */
export interface PairedTest {
  mean: number;
  /** Null below two cases, where nothing can vary. */
  interval: Bounds | null;
  p: number;
  /** The direction of a difference that counts; 0 where none does. */
  direction: -1 | 0 | 1;
  /** The smallest difference that would have been seen with a chance of 80 %. */
  detectable: number;
}

/** How often one case passed, or failed, or whatever is counted, on both sides. */
export interface PairedCounts {
  a: { hits: number; trials: number };
  b: { hits: number; trials: number };
}

const maxDenominator = 5040;
/** In floating point, 2/3 − 1/3 and 1 − 2/3 differ by a hair. */
const rounding = 1e-12;

/** Tests the differences of rates, by case: the sign-flip test and the interval of Student's t both have to see it. */
export function testRates(cases: readonly PairedCounts[], seed: number): PairedTest {
  // Filled by hand, as `from` takes several times as long.
  const rates = new Float64Array(cases.length);
  for (const [at, { a, b }] of cases.entries()) rates[at] = b.hits / b.trials - a.hits / a.trials;
  const denominator = commonDenominator(cases);
  if (denominator === null) return pairedTest(rates, { ...signs(rates, seed), isRate: true });
  const units = new Float64Array(cases.length);
  for (const [at, { a, b }] of cases.entries())
    units[at] = (b.hits * denominator) / b.trials - (a.hits * denominator) / a.trials;
  return pairedTest(rates, { sign: sumSign(units), p: signFlip(units, seed), isRate: true });
}

/** The same for any values, such as logarithms of ratios. */
export function testValues(values: Float64Array, seed: number): PairedTest {
  return pairedTest(values, { ...signs(values, seed), isRate: false });
}

function signs(values: Float64Array, seed: number): { sign: number; p: number } {
  return { sign: sumSign(values), p: signFlipOfAny(values, seed) };
}

function pairedTest(
  values: Float64Array,
  { sign, p, isRate }: { sign: number; p: number; isRate: boolean },
): PairedTest {
  const count = values.length;
  const mean = sign === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / count;
  const deviation = standardDeviation(values, mean);
  // Rates that all changed alike do not show how far others could be off; how few they are does.
  const isUniform = isRate && deviation < rounding;
  const reach = isUniform ? unseen(count) : (t95(count - 1) * deviation) / Math.sqrt(count);
  const most = isRate ? 1 : Number.POSITIVE_INFINITY;
  const interval =
    count < 2 ? null : { lower: Math.max(-most, mean - reach), upper: Math.min(most, mean + reach) };
  const excludes = interval !== null && (interval.lower > 0 || interval.upper < 0);
  const detectable = isUniform ? unseen(count) : (2.802 * deviation) / Math.sqrt(count);
  return {
    mean,
    interval,
    p,
    direction: excludes && p <= decisionLevel ? (Math.sign(mean) as -1 | 1) : 0,
    detectable: Math.min(detectable, most),
  };
}

/** A share of cases so large that one of it would have been among these with a chance of 97.5 %. */
function unseen(cases: number): number {
  return 1 - 0.025 ** (1 / cases);
}

function standardDeviation(values: Float64Array, mean: number): number {
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
}

/** The sign of a sum; what only rounding left over is 0. */
function sumSign(values: Float64Array): number {
  let [sum, size] = [0, 0];
  for (const value of values) {
    sum += value;
    size += Math.abs(value);
  }
  return Math.abs(sum) <= size * rounding ? 0 : Math.sign(sum);
}

/** A number that every count of trials divides; null where there is no small one. */
function commonDenominator(cases: readonly PairedCounts[]): number | null {
  let common = 1;
  for (const { a, b } of cases)
    for (const { trials } of [a, b]) {
      common *= trials / commonDivisor(common, trials);
      if (common > maxDenominator) return null;
    }
  return common;
}

/** Trials that must agree on both sides before one case counts as evidence. */
const trialsNeeded = 3;

/**
 * What a suite without any luck shows: no case is mixed on either side, and cases changed from always to never, or the
 * reverse, but not both. One case that is a coin flip gives this by chance with 4^−R in either direction.
 */
export function testDeterminism(
  cases: readonly PairedCounts[],
  trials: number,
): { direction: -1 | 1; p: number } | null {
  if (trials < trialsNeeded) return null;
  let [lost, gained] = [0, 0];
  for (const { a, b } of cases) {
    if (isMixed(a) || isMixed(b)) return null;
    if (a.hits > 0 && b.hits === 0) lost++;
    if (a.hits === 0 && b.hits > 0) gained++;
  }
  if (lost > 0 === gained > 0) return null;
  return { direction: lost > 0 ? -1 : 1, p: 2 * 4 ** (-trials * (lost + gained)) };
}

/** The verdict on the rates of cases: by determinism where nothing is mixed, otherwise by the test. */
export interface RateDecision {
  test: PairedTest;
  certain: { direction: -1 | 1; p: number } | null;
  direction: -1 | 0 | 1;
}

/** `trials` are the fewest that any case has on either side; infinitely many where a trial can only come out one way. */
export function decideRates(cases: readonly PairedCounts[], trials: number, seed: number): RateDecision {
  const test = testRates(cases, seed);
  const certain = testDeterminism(cases, trials);
  return { test, certain, direction: certain?.direction ?? test.direction };
}

function isMixed({ hits, trials }: PairedCounts["a"]): boolean {
  return hits > 0 && hits < trials;
}

/** Whether so many of the cases turn from always to never by chance in at most 2.5 % of comparisons, even if each is a coin flip. */
export function isMoreThanChance(turned: number, cases: number, trials: number): boolean {
  return turned > 0 && binomialTail(turned, cases, 4 ** -trials) <= 0.025;
}
