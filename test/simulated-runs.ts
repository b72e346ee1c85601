import type { PairedTask } from "../src/report/compare/compare-tasks.ts";
import type { TriedTask } from "../src/report/compare/compared-side.ts";
import { caseInterval } from "../src/shared/statistics/case-interval.ts";
import { decideRates, type PairedCounts } from "../src/shared/statistics/paired-test.ts";
import { seededRandom } from "../src/shared/statistics/seeded-random.ts";

/** Numbers from 0 to 1 that a seed decides. */
export interface Draws {
  uniform(): number;
  normal(): number;
}

export function seededDraws(seed: number): Draws {
  const random = seededRandom(seed);
  const words = new Uint32Array(4096);
  let next = words.length;
  function uniform(): number {
    if (next === words.length) {
      random.fillBelow(words, 2 ** 32);
      next = 0;
    }
    return ((words[next++] as number) + 0.5) / 2 ** 32;
  }
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}

/** One of so many drawn cases is kept, in order: few draws would make a population whose base rate is off by half a point. */
const thinning = 8;

/** How often a case passes, by its rank among all: cases of a skill with this base rate, as alike as the correlation of their trials says. */
export function caseRates(baseRate: number, correlation: number, draws: Draws): Float64Array {
  const steps = 8192;
  const rates = new Float64Array(steps);
  if (correlation === 0) return rates.fill(baseRate);
  if (correlation === 1) return rates.map((_, at) => (at < steps * (1 - baseRate) ? 0 : 1));
  const size = (1 - correlation) / correlation;
  const all = new Float64Array(thinning * steps).map(() => {
    const passing = gamma(baseRate * size, draws);
    return passing / (passing + gamma((1 - baseRate) * size, draws));
  });
  all.sort();
  return rates.map((_, at) => all[Math.floor((at + 0.5) * thinning)] as number);
}

/** Marsaglia and Tsang. */
function gamma(shape: number, draws: Draws): number {
  if (shape < 1) return gamma(shape + 1, draws) * draws.uniform() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = draws.normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(draws.uniform()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

export interface SimulatedRuns {
  cases: number;
  /** Per case, or what each case has in turn. */
  trials: number | readonly number[];
  /** By rank, before and after: a case keeps its rank. As many as there are cases are those of the cases, in turn. */
  before: Float64Array;
  after: Float64Array;
  comparisons: number;
  seed: number;
}

export interface VerdictShares {
  regressed: number;
  improved: number;
}

/** Compares simulated runs of a suite of fresh cases, again and again, by the rule that `report diff` uses. */
export function simulateVerdicts({
  cases,
  trials,
  before,
  after,
  comparisons,
  seed,
}: SimulatedRuns): VerdictShares {
  const draws = seededDraws(seed);
  const counts: PairedCounts[] = Array.from({ length: cases }, (_, at) => {
    const own = typeof trials === "number" ? trials : (trials[at % trials.length] ?? 1);
    return { a: { hits: 0, trials: own }, b: { hits: 0, trials: own } };
  });
  const least = typeof trials === "number" ? trials : Math.min(...trials);
  let [regressed, improved] = [0, 0];
  for (let at = 0; at < comparisons; at++) {
    for (const [own, { a, b }] of counts.entries()) {
      const rank = before.length === cases ? own : Math.floor(draws.uniform() * before.length);
      a.hits = hits(a.trials, before[rank] as number, draws);
      b.hits = hits(b.trials, after[rank] as number, draws);
    }
    const { direction } = decideRates(counts, least, at);
    if (direction < 0) regressed++;
    if (direction > 0) improved++;
  }
  return { regressed: regressed / comparisons, improved: improved / comparisons };
}

function hits(trials: number, rate: number, draws: Draws): number {
  if (rate === 0 || rate === 1) return rate * trials;
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (draws.uniform() < rate) count++;
  return count;
}

/** The rates of a suite of certain cases with some coin flips among them. */
export function withCoinFlips(coins: number, cases: number): Float64Array {
  return Float64Array.from({ length: cases }, (_, at) => (at < coins ? 0.5 : 1));
}

/** How far a share of so many draws may be above what it stands for: three standard errors. */
export function allowance(share: number, draws: number): number {
  return 3 * Math.sqrt((share * (1 - share)) / draws);
}

export interface SimulatedTimes {
  cases: number;
  trials: number;
  /** How many times as slow, and as costly, the later version is. */
  factor: number;
  /** The standard deviation of the logarithm, between cases and between trials of one. */
  spread?: { cases: number; trials: number };
}

/** Two runs of a suite whose times and costs are log-normal, as those of programs and models mostly are. */
export function simulateTimes(
  { cases, trials, factor, spread = { cases: 0.8, trials: 0.4 } }: SimulatedTimes,
  draws: Draws,
): PairedTask[] {
  return Array.from({ length: cases }, (_, at) => {
    const typical = 100 * Math.exp(spread.cases * draws.normal());
    const side = (times: number): TriedTask => {
      const allMs = Array.from(
        { length: trials },
        () => times * typical * Math.exp(spread.trials * draws.normal()),
      );
      const costUsd = allMs.reduce((sum, ms) => sum + ms, 0) / 1e5;
      const counts = { tried: trials, valid: trials, passed: trials, errors: 0 };
      return {
        ...counts,
        taskId: `t${at}`,
        content: "c",
        answeredMs: allMs,
        allMs,
        costUsd,
        tokens: null,
        own: {},
      };
    };
    return { a: side(1), b: side(factor) };
  });
}

export interface SimulatedSuites {
  cases: number;
  /** Per case, or what each case has in turn. */
  trials: number | readonly number[];
  /** How often a case passes, by its rank among all. */
  rates: Float64Array;
  suites: number;
  seed: number;
}

export interface Coverage {
  /** How often the interval holds the true rate, and how often all of it lies above. */
  covered: number;
  above: number;
}

/** Draws suites of fresh cases, again and again, and holds the interval of each against the rate of all cases there are. */
export function simulateCoverage({ cases, trials, rates, suites, seed }: SimulatedSuites): Coverage {
  const draws = seededDraws(seed);
  const truth = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const counts = Array.from({ length: cases }, (_, at) =>
    typeof trials === "number" ? trials : (trials[at % trials.length] ?? 1),
  );
  const passed = new Float64Array(cases);
  let [covered, above] = [0, 0];
  for (let suite = 0; suite < suites; suite++) {
    for (const [at, count] of counts.entries())
      passed[at] = hits(count, rates[Math.floor(draws.uniform() * rates.length)] as number, draws);
    const { lower = Number.NaN, upper = Number.NaN } = caseInterval({ passed, trials: counts }) ?? {};
    if (lower > truth) above++;
    else if (upper >= truth) covered++;
  }
  return { covered: covered / suites, above: above / suites };
}
