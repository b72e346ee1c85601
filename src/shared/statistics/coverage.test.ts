import { describe, expect, test } from "vitest";
import { allowance, caseRates, seededDraws, simulateCoverage } from "../../../test/simulated-runs.ts";

/**
 * The promise of every interval, kept by the function that makes them: it holds the true rate in 95 of 100 suites, however alike
 * the trials of a case are. `npm run test:faults` checks more values with many times as many suites.
 */
const suites = 800;
const atLeast = (share: number) => share - allowance(share, suites);
const atMost = (share: number) => share + allowance(share, suites);
const correlations = [0, 0.3, 0.6, 1];

describe.each([0.5, 0.7, 0.9, 0.95])("at a true rate of %d", (rate) => {
  test.each(correlations)("and trials of a case as alike as %d", (correlation) => {
    const rates = caseRates(rate, correlation, seededDraws(17));
    for (const cases of [5, 10, 20, 50, 200])
      for (const trials of [1, 3, 5, 10]) {
        const seed = 1000 * cases + 10 * trials + Math.round(100 * (rate + correlation));
        const { covered, above } = simulateCoverage({ cases, trials, rates, suites, seed });
        // Plain Wilson itself holds less with few cases, and near 1.
        const promised = cases < 20 || rate === 0.95 ? 0.9 : 0.93;
        expect(covered, `${cases} × ${trials}`).toBeGreaterThanOrEqual(atLeast(promised));
        expect(above, `${cases} × ${trials}: all above the truth`).toBeLessThanOrEqual(atMost(0.04));
      }
  });
});
