import { expect, test } from "vitest";
import { costRow, latencyRow, tailRow } from "../../src/report/compare/compare-rows.ts";
import { caseRates, seededDraws, simulateTimes, simulateVerdicts, withCoinFlips } from "../simulated-runs.ts";

/** Many times the comparisons of `npm test`, other seeds, and values between those of its grid. */
const comparisons = 20_000;
const promised = 0.055;

const grid = [0.5, 0.6, 0.8, 0.85, 0.95].flatMap((baseRate) =>
  [0, 0.15, 0.3, 0.6, 0.8, 0.9, 1].map((correlation) => ({ baseRate, correlation })),
);

test.each(grid)(
  "the same skill twice: base rate $baseRate, correlation within cases $correlation",
  ({ baseRate, correlation }) => {
    const rates = caseRates(baseRate, correlation, seededDraws(101));
    for (const cases of [5, 10, 15, 20, 35, 50, 100, 200])
      for (const trials of [1, 3, 5, 10, [1, 3, 5], [3, 4, 7]]) {
        const seed =
          77 + 1000 * cases + 10 * [trials].flat().length + Math.round(100 * (baseRate + correlation));
        // Unequal numbers of trials take longer to count.
        const draws = typeof trials === "number" ? comparisons : comparisons / 5;
        const given = { cases, trials, before: rates, after: rates, comparisons: draws, seed };
        const { regressed, improved } = simulateVerdicts(given);
        const allowed = promised + (typeof trials === "number" ? 0 : 0.005);
        expect(regressed + improved, `${cases} × ${trials}`).toBeLessThanOrEqual(allowed);
      }
  },
);

test.each([1, 2, 3, 4, 5, 6, 8])("%d coin flips among certain cases", (coins) => {
  for (const cases of [8, 10, 20, 50, 200])
    for (const trials of [1, 3, 5, 10]) {
      const rates = withCoinFlips(coins, cases);
      const given = { cases, trials, before: rates, after: rates, comparisons, seed: 9 * cases + coins };
      const { regressed, improved } = simulateVerdicts(given);
      expect(regressed + improved, `${cases} × ${trials}`).toBeLessThanOrEqual(promised);
    }
});

const spreads = [
  { cases: 0.1, trials: 0.1 },
  { cases: 0.8, trials: 0.4 },
  { cases: 1.5, trials: 1 },
];

test.each(
  [6, 10, 20, 50].flatMap((cases) => spreads.map((spread) => ({ cases, spread, within: spread.trials }))),
)("the same program measured twice: $cases cases, spread within them $within", ({ cases, spread }) => {
  const draws = seededDraws(cases);
  const decided = { latency: 0, tail: 0, cost: 0 };
  const runs = 4000;
  for (let seed = 0; seed < runs; seed++) {
    const conditions = { seed, noun: ["task", "tasks"] as const, timeProblem: null };
    const tasks = simulateTimes({ cases, trials: 5, factor: 1, spread }, draws);
    const rows = {
      latency: latencyRow(tasks, conditions),
      tail: tailRow(tasks, conditions),
      cost: costRow(tasks, "costUsd", conditions),
    };
    for (const name of ["latency", "tail", "cost"] as const)
      if (rows[name]?.sense === "better" || rows[name]?.sense === "worse") decided[name]++;
  }
  for (const count of Object.values(decided)) expect(count / runs).toBeLessThanOrEqual(promised + 0.005);
});
