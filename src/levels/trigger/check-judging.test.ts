import fc from "fast-check";
import { expect, test } from "vitest";
import {
  sampleAnswer,
  sampleJudge,
  sampleQuestion,
  sampleTriggerQuery,
} from "../../../test/builders/sample-judgments.ts";
import type { Judge } from "../../contract/judge.ts";
import type { QuerySide, TriggerQuery } from "../../contract/triggering.ts";
import { judgeAll, type SyntheticJudges, selfCheck } from "./check-judging.ts";

const { signal } = new AbortController();
const makeQuestion = ({ id }: TriggerQuery) => sampleQuestion(id);

function queriesOf(positives: number, negatives: number): TriggerQuery[] {
  const of = (side: QuerySide, count: number) =>
    Array.from({ length: count }, (_, n) => sampleTriggerQuery(side, `${side}-${n}`));
  return [...of("should_match", positives), ...of("should_not_match", negatives)];
}

const answering = (letter: string) => sampleJudge(() => sampleAnswer(letter));
const never = answering("N");
const always = answering("Y");
/** The ids of these queries contain their side. */
const perfect = sampleJudge(({ query }) => sampleAnswer(query.id.startsWith("should_match") ? "Y" : "N"));
const judges: SyntheticJudges = { perfect, never, always };

const sides = fc.integer({ min: 0, max: 6 });
const repeats = fc.integer({ min: 1, max: 20 });

test("perfect, never and always give their known numbers for any mix of sides and any number of answers", async () => {
  await fc.assert(
    fc.asyncProperty(sides, sides, repeats, async (positives, negatives, n) => {
      const queries = queriesOf(positives, negatives);
      const plan = { repeats: n, threshold: 0.5, makeQuestion: makeQuestion, signal };
      const ifBoth = (value: number) => (positives > 0 && negatives > 0 ? value : null);
      const ifPositives = (value: number) => (positives > 0 ? value : null);

      const all = positives + negatives;
      const metrics = async (judge: Judge) => {
        const result = await judgeAll(queries, plan, judge);
        return { passed: result.passed, ...result.metrics.query };
      };
      expect(await metrics(perfect)).toMatchObject({ passed: all, mcc: ifBoth(1), recall: ifPositives(1) });
      expect(await metrics(never)).toMatchObject({
        passed: negatives,
        recall: ifPositives(0),
        precision: null,
      });
      expect(await metrics(always)).toMatchObject({ passed: positives, recall: ifPositives(1), tn: 0 });
    }),
    { numRuns: 15 },
  );
});

test.each([
  [0, 0],
  [3, 0],
  [0, 3],
  [8, 7],
])("the self-check of %i and %i queries finds nothing to say", async (positives, negatives) => {
  for (const n of [1, 4, 8])
    await selfCheck(
      queriesOf(positives, negatives),
      { repeats: n, threshold: 0.5, makeQuestion, signal },
      judges,
    );
});

test.each([
  ["garbage", "?", { passed: 0, failed: 6, inconclusive: 0 }],
  ["garbage that seems to mean what is right", "y", { passed: 0, failed: 6, inconclusive: 0 }],
  ["erroring", "E", { passed: 0, failed: 0, inconclusive: 6 }],
])("a judge that is %s passes nothing, on either side, and is in no cell", async (_, letter, shown) => {
  for (const n of [1, 4, 8]) {
    const plan = { repeats: n, threshold: 0.5, makeQuestion: makeQuestion, signal };

    const result = await judgeAll(queriesOf(3, 3), plan, answering(letter));

    expect(result).toMatchObject({
      ...shown,
      metrics: { query: { tp: 0, fp: 0, tn: 0, fn: 0, coverage: 0 } },
    });
  }
});

test.each<[string, Partial<SyntheticJudges>, string]>([
  ["perfect fails", { perfect: never }, "expected passed 5 from the perfect judge, got 2"],
  ["never answers", { never: answering("E") }, "expected inconclusive 0 from the never judge, got 5"],
  ["always is garbage", { always: answering("?") }, "expected coverage 1 from the always judge, got 0"],
])("any other number stops the run and is named: %s", async (_, broken, message) => {
  const plan = { repeats: 4, threshold: 0.5, makeQuestion: makeQuestion, signal };

  await expect(selfCheck(queriesOf(3, 2), plan, { ...judges, ...broken })).rejects.toMatchObject({
    code: "self-check-failed",
    exitCode: 3,
    message: expect.stringContaining(message),
    hint: expect.stringContaining("bug in eval-skills"),
  });
});

test("answers too few for the threshold are reported as that", async () => {
  const plan = { repeats: 4, threshold: 0.9, makeQuestion: makeQuestion, signal };

  await expect(selfCheck(queriesOf(3, 2), plan, judges)).rejects.toMatchObject({
    code: "self-check-failed",
    hint: "4 answers can never clear a threshold of 0.9, even if all agree: use --runs 35",
  });
});
