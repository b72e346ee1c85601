import { describe, expect, test } from "vitest";
import {
  allowance,
  caseRates,
  seededDraws,
  simulateTimes,
  simulateVerdicts,
  withCoinFlips,
} from "../../../test/simulated-runs.ts";
import type { Sense } from "../../contract/diff.ts";
import { decideRates, type PairedCounts } from "../../shared/statistics/paired-test.ts";
import { costRow, latencyRow, rateRow, tailRow } from "./compare-rows.ts";
import { correctVerdicts } from "./correct-verdicts.ts";

/**
 * The promise of `report diff`, kept by the functions it uses: equally good versions are called different in at most 5 of
 * 100 comparisons. `npm run test:faults` checks more values with many times as many comparisons.
 */
const comparisons = 800;
const promised = 0.05 + allowance(0.05, comparisons);
const timeout = 240_000;

describe("the same skill twice is called regressed or improved in at most 5 of 100 comparisons", () => {
  const grid = [0.5, 0.8, 0.95].flatMap((baseRate) =>
    [0, 0.3, 0.6, 0.9, 1].map((correlation) => ({ baseRate, correlation })),
  );

  test.each(grid)(
    "base rate $baseRate, correlation within cases $correlation, 5 to 200 cases, 1 to 5 trials",
    ({ baseRate, correlation }) => {
      const rates = caseRates(baseRate, correlation, seededDraws(11));
      for (const cases of [5, 10, 20, 50, 200])
        for (const trials of [1, 3, 5]) {
          const seed = 1000 * cases + 10 * trials + Math.round(100 * (baseRate + correlation));
          const found = simulateVerdicts({ cases, trials, before: rates, after: rates, comparisons, seed });
          expect(found.regressed + found.improved, `${cases} × ${trials}`).toBeLessThanOrEqual(promised);
        }
    },
    timeout,
  );

  test.each([1, 2, 3, 5, 8])("%d coin flips among certain cases", (coins) => {
    for (const cases of [10, 50])
      for (const trials of [1, 3, 5]) {
        const rates = withCoinFlips(coins, cases);
        const seed = 100 * coins + cases + trials;
        const found = simulateVerdicts({ cases, trials, before: rates, after: rates, comparisons, seed });
        expect(found.regressed + found.improved, `${cases} × ${trials}`).toBeLessThanOrEqual(promised);
      }
  });

  test("--family-wise: among ten skills none is in 95 of 100", () => {
    const draws = seededDraws(5);
    const rates = caseRates(0.8, 0.3, draws);
    let families = 0;
    for (let family = 0; family < comparisons; family++) {
      const skills = Array.from({ length: 10 }, () => judgedSkill(rates, draws));
      if (correctVerdicts(skills, true).some(({ decidedBy }) => decidedBy !== null)) families++;
    }
    expect(families / comparisons).toBeLessThanOrEqual(promised);
  });
});

/** A skill of 20 cases × 3 trials, compared with itself. */
function judgedSkill(rates: Float64Array, draws: ReturnType<typeof seededDraws>) {
  const passes = (rate: number) =>
    Number(draws.uniform() < rate) + Number(draws.uniform() < rate) + Number(draws.uniform() < rate);
  const counts: PairedCounts[] = Array.from({ length: 20 }, () => {
    const rate = rates[Math.floor(draws.uniform() * rates.length)] ?? 0;
    return { a: { hits: passes(rate), trials: 3 }, b: { hits: passes(rate), trials: 3 } };
  });
  const { test: tested, certain, direction } = decideRates(counts, 3, 0);
  return {
    verdict: direction < 0 ? "regressed" : direction > 0 ? "improved" : "inconclusive",
    decidedBy: direction === 0 ? null : "sign-flip",
    reason: "",
    main: "passRate",
    metrics: {},
    paired: { p: certain?.p ?? tested.p },
  } as const;
}

/** In percent, by correlation within cases 0, 0.3, 0.6 and 1: reference/statistics-and-gates.md, section 2.2. */
const power = [
  { cases: 20, trials: 3, drop10: [19, 26, 34, 88], drop20: [60, 68, 79, 99] },
  { cases: 20, trials: 5, drop10: [32, 40, 54, 87], drop20: [83, 88, 94, 99] },
  { cases: 50, trials: 3, drop10: [48, 59, 74, 99], drop20: [96, 98, 99, 100] },
  { cases: 50, trials: 5, drop10: [70, 81, 91, 99], drop20: [99, 99, 100, 100] },
];

const known = new Map<string, Float64Array>();

function ratesFor(rate: number, correlation: number): Float64Array {
  const key = `${rate} ${correlation}`;
  const found = known.get(key) ?? caseRates(rate, correlation, seededDraws(11));
  known.set(key, found);
  return found;
}

test.each(power)(
  "a true drop from 80 percent is found as often as promised with $cases cases × $trials, and never called improved",
  ({ cases, trials, drop10, drop20 }) => {
    for (const [drop, promises] of [
      [0.1, drop10],
      [0.2, drop20],
    ] as const)
      for (const [at, correlation] of [0, 0.3, 0.6, 1].entries()) {
        const before = ratesFor(0.8, correlation);
        const after = ratesFor(0.8 - drop, correlation);
        const found = simulateVerdicts({ cases, trials, before, after, comparisons, seed: 7 });
        const share = (promises[at] ?? 0) / 100 - 0.02;
        const where = `−${100 * drop} points, correlation ${correlation}`;
        expect(found.regressed, where).toBeGreaterThanOrEqual(share - allowance(share, comparisons));
        expect(found.improved, where).toBeLessThanOrEqual(0.01);
      }
  },
  timeout,
);

/** How often the row of error rates is called better or worse, in runs of 20 tasks × 3. */
function errorVerdicts(before: Float64Array, after: Float64Array, runs: number) {
  const draws = seededDraws(8);
  const found = { better: 0, worse: 0 };
  for (let seed = 0; seed < runs; seed++) {
    const counts: PairedCounts[] = Array.from({ length: 20 }, () => {
      const rank = Math.floor(draws.uniform() * before.length);
      const errors = (rate = 0) => [0, 1, 2].filter(() => draws.uniform() < rate).length;
      return { a: { hits: errors(before[rank]), trials: 3 }, b: { hits: errors(after[rank]), trials: 3 } };
    });
    const { sense } = rateRow(counts, "down", { seed, noun: ["task", "tasks"], trials: 3 });
    if (sense === "better" || sense === "worse") found[sense]++;
  }
  return { better: found.better / runs, worse: found.worse / runs };
}

describe("the error rates of one program, measured twice", () => {
  test.each([0.02, 0.1, 0.4])(
    "are called different in at most 5 of 100 comparisons, at a rate of %d",
    (rate) => {
      for (const correlation of [0, 0.3, 0.6, 1]) {
        const rates = caseRates(rate, correlation, seededDraws(11));
        const { better, worse } = errorVerdicts(rates, rates, comparisons);
        expect(better + worse, `correlation ${correlation}`).toBeLessThanOrEqual(promised);
      }
    },
  );

  test.each([0, 0.3, 0.6, 1])(
    "and a doubling from 40 percent is worse in 99 of 100, correlation %d",
    (correlation) => {
      const [before, after] = [0.4, 0.8].map((rate) => caseRates(rate, correlation, seededDraws(11)));
      const { better, worse } = errorVerdicts(before as Float64Array, after as Float64Array, 500);
      expect(worse).toBeGreaterThanOrEqual(0.99);
      expect(better).toBe(0);
    },
  );
});

describe("the times and costs of one program, measured twice", () => {
  const conditions = { noun: ["task", "tasks"], timeProblem: null } as const;
  const isDecided = (sense: Sense | undefined) => sense === "better" || sense === "worse";

  test("differ in at most 5 of 100 comparisons", () => {
    const draws = seededDraws(3);
    const decided = { latency: 0, cost: 0 };
    for (let seed = 0; seed < comparisons; seed++) {
      const tasks = simulateTimes({ cases: 20, trials: 3, factor: 1 }, draws);
      if (isDecided(latencyRow(tasks, { ...conditions, seed }).sense)) decided.latency++;
      if (isDecided(costRow(tasks, "costUsd", { ...conditions, seed })?.sense)) decided.cost++;
    }
    expect(decided.latency / comparisons).toBeLessThanOrEqual(promised);
    expect(decided.cost / comparisons).toBeLessThanOrEqual(promised);
  }, 120_000);

  test("differ in the slowest twentieth in at most 5 of 100", () => {
    const draws = seededDraws(4);
    let decided = 0;
    for (let seed = 0; seed < 600; seed++) {
      const tasks = simulateTimes({ cases: 20, trials: 5, factor: 1 }, draws);
      if (isDecided(tailRow(tasks, { ...conditions, seed }).sense)) decided++;
    }
    expect(decided / 600).toBeLessThanOrEqual(0.05 + allowance(0.05, 600));
  });

  test("and twice as slow or costly, it is worse in 99 of 100", () => {
    const draws = seededDraws(6);
    const found = { latency: 0, cost: 0 };
    for (let seed = 0; seed < 500; seed++) {
      const tasks = simulateTimes({ cases: 20, trials: 3, factor: 2 }, draws);
      if (latencyRow(tasks, { ...conditions, seed }).sense === "worse") found.latency++;
      if (costRow(tasks, "costUsd", { ...conditions, seed })?.sense === "worse") found.cost++;
    }
    expect(found.latency / 500).toBeGreaterThanOrEqual(0.99);
    expect(found.cost / 500).toBeGreaterThanOrEqual(0.99);
  });
});
