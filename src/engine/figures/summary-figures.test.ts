import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleScoring, sampleSummary, summaryValues } from "../../../test/builders/sample-summary.ts";
import type { CellResult } from "../../contract/result.ts";
import { sampleResult } from "../../store/samples.ts";

const tasks = ["a", "b", "c", "d"];
const runs = 3;
const weights: Readonly<Record<string, number>> = { a: 0.1, b: 1.1, c: 2.1, d: 3.1 };
const tags: Readonly<Record<string, string[]>> = { a: ["x", "y"], b: ["y"], d: ["z", "x"] };
const cases = tasks.map((id) => ({ id, tags: tags[id] ?? [], weight: weights[id] ?? 0 }));
const anyCell = fc.record({
  status: fc.constantFrom("pass", "fail", "error", "timeout", "invalid"),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  latencyMs: fc.double({ min: 0, max: 40_000, noNaN: true }),
  beganAtMs: fc.integer({ min: 0, max: 100_000 }),
  costUsd: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  isBurn: fc.boolean(),
  hasResult: fc.boolean(),
});
const anyResults = fc.array(anyCell, { minLength: 12, maxLength: 12 }).map((cells) =>
  cells.flatMap(({ isBurn, hasResult, costUsd, score, ...cell }, index): CellResult[] => {
    const task = Math.floor(index / runs);
    const result = sampleResult({
      ...cell,
      caseId: tasks[task] as string,
      trial: 1 + (index % runs),
      score: cell.status === "invalid" ? null : score,
      cause: isBurn && cell.status === "error" ? "cpu-limit" : null,
      usage: costUsd === null ? null : { promptTokens: 3, completionTokens: 0.1, totalTokens: null, costUsd },
    });
    return hasResult ? [result] : [];
  }),
);
const anyMethod = fc.constantFrom("mean", "weighted_mean", "pass_at_k");

test("results in any order give the same report to the last bit", () => {
  const shuffled = anyResults.chain((results) =>
    fc.tuple(fc.constant(results), fc.shuffledSubarray(results, { minLength: results.length })),
  );
  fc.assert(
    fc.property(shuffled, anyMethod, ([results, reordered], scoringMethod) => {
      const plan = { cases, runs, scoring: sampleScoring({ scoringMethod, k: 2 }) };
      const [inOrder, anyhow] = [results, reordered].map((list) => sampleSummary(list, plan).figures());
      expect(JSON.stringify(anyhow)).toBe(JSON.stringify(inOrder));
    }),
    { numRuns: 40 },
  );
});

/** The table of definitions, read aloud over plain lists. */
function plainly(results: readonly CellResult[], method: "mean" | "weighted_mean") {
  const counted = results.filter(({ status }) => status !== "invalid");
  const share = (list: readonly CellResult[], test: (result: CellResult) => boolean) =>
    list.length === 0 ? null : list.filter(test).length / list.length;
  const passes = ({ status }: CellResult) => status === "pass";
  const weight = (result: CellResult) => (method === "mean" ? 1 : (weights[result.caseId] ?? 0));
  const score = ({ status, score }: CellResult) =>
    status === "pass" || status === "fail" ? (score ?? 0) : 0;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const repeated = tasks
    .map((id) => counted.filter(({ caseId }) => caseId === id))
    .filter((trials) => trials.length >= 2);
  const flaky = repeated.filter((trials) => new Set(trials.map(passes)).size === 2);
  return {
    completionRate: share(counted, passes),
    errorRate: share(counted, ({ status }) => status === "error" || status === "timeout"),
    flakeRate: repeated.length === 0 ? null : flaky.length / repeated.length,
    partialScore:
      counted.length === 0
        ? null
        : sum(counted.map((result) => weight(result) * score(result))) / sum(counted.map(weight)),
  };
}

test("the fold agrees with the definitions read over plain lists", () => {
  fc.assert(
    fc.property(anyResults, fc.constantFrom("mean", "weighted_mean"), (results, scoringMethod) => {
      const plan = { cases, runs, scoring: sampleScoring({ scoringMethod }) };
      const summary = summaryValues(sampleSummary(results, plan).figures().summary);
      const expected = plainly(results, scoringMethod);
      expect(summary).toMatchObject({
        completionRate: expected.completionRate,
        errorRate: expected.errorRate,
        flakeRate: expected.flakeRate,
      });
      if (expected.partialScore === null) expect(summary.partialScore).toBeNull();
      else expect(summary.partialScore).toBeCloseTo(expected.partialScore, 12);
    }),
    { numRuns: 60 },
  );
});

test("every rate, score and interval lies between 0 and 1", () => {
  fc.assert(
    fc.property(anyResults, anyMethod, (results, scoringMethod) => {
      const plan = { cases, runs, scoring: sampleScoring({ scoringMethod, k: 2 }) };
      const { summary } = sampleSummary(results, plan).figures();
      const { passAtK, passHatK, ...figures } = summaryValues(summary);
      const bounds = [summary.completionRate, summary.partialScore, summary.errorRate].flatMap(
        ({ interval, thisSuite }) =>
          [interval, thisSuite].flatMap((one) => (one ? [one.lower, one.upper] : [])),
      );
      const values = [
        ...Object.values({ ...figures }),
        ...bounds,
        ...Object.values({ ...passAtK }),
        ...Object.values({ ...passHatK }),
      ];
      return values.every((value) => value === null || (value >= 0 && value <= 1 + 1e-12));
    }),
    { numRuns: 60 },
  );
});
