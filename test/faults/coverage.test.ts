import { expect, test } from "vitest";
import { caseRates, seededDraws, simulateCoverage } from "../simulated-runs.ts";

/** Many times the suites of `npm test`, other seeds, values between those of its grid, and cases with unequal numbers of trials. */
const suites = 20_000;
const slack = 0.005;

const grid = [0.5, 0.6, 0.7, 0.85, 0.9, 0.95].flatMap((rate) =>
  [0, 0.15, 0.3, 0.6, 0.8, 1].map((correlation) => ({ rate, correlation })),
);

test.each(grid)(
  "intervals hold a true rate of $rate, trials of a case as alike as $correlation",
  ({ rate, correlation }) => {
    const rates = caseRates(rate, correlation, seededDraws(103));
    for (const cases of [5, 10, 15, 20, 35, 50, 100, 200])
      for (const trials of [1, 3, 5, 10, [1, 3, 5], [3, 4, 7]]) {
        const seed = 31 + 1000 * cases + 10 * [trials].flat().length + Math.round(100 * (rate + correlation));
        const { covered, above } = simulateCoverage({ cases, trials, rates, suites, seed });
        // Where cases decide alone, but some have five times the trials of others, they are worth fewer than they are.
        const isUneven = typeof trials !== "number" && correlation > 0.5;
        // Plain Wilson itself holds less between the numbers of cases of the promise: 92 in 100 at a rate of 0.9 over 35 cases.
        const isPromised = [20, 50, 200].includes(cases) && rate !== 0.95 && !isUneven;
        const promised = isPromised ? 0.93 : isUneven && cases < 20 ? 0.87 : 0.9;
        const aboveAtMost = isUneven ? 0.055 : 0.04;
        expect(covered, `${cases} × ${trials}`).toBeGreaterThanOrEqual(promised - slack);
        expect(above, `${cases} × ${trials}: all above the truth`).toBeLessThanOrEqual(aboveAtMost + slack);
      }
  },
);
