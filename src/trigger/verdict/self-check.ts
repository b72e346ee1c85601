import { Places } from "../../base/places.ts";
import type { Json } from "../../contract/json.ts";
import type { Judge } from "../../contract/judge.ts";
import type { Score } from "../../contract/score.ts";
import type { JudgeName, TriggerResult } from "../../contract/trigger-report.ts";
import type { TriggerQuery } from "../../contract/triggering.ts";
import { UserError } from "../../contract/user-error.ts";
import { baselines } from "./baselines.ts";
import { leastRepeats } from "./decide-query.ts";
import { queryFold } from "./fold-queries.ts";
import { judgeQuery, type QueryQuestion } from "./judge-query.ts";
import { type QueryResult, queryLine } from "./query-line.ts";
import { triggerScorer } from "./trigger-scorer.ts";

/** Judges of whom every number is known beforehand. */
export interface SyntheticJudges {
  perfect: Judge;
  never: Judge;
  always: Judge;
}

export interface SelfCheckPlan {
  repeats: number;
  threshold: number;
  questionOf(query: TriggerQuery): QueryQuestion;
  signal: AbortSignal;
}

/** Sends synthetic judges the way the real one will go, over the same queries. Any number but the known one stops the run. */
export async function selfCheck(
  queries: readonly TriggerQuery[],
  plan: SelfCheckPlan,
  judges: SyntheticJudges,
): Promise<void> {
  const positives = queries.filter(({ side }) => side === "should_match").length;
  const negatives = queries.length - positives;
  for (const [name, expected] of Object.entries(expectations(positives, negatives))) {
    const found = numbersOf(await judgeAll(queries, plan, judges[name as keyof SyntheticJudges]));
    for (const [number, value] of Object.entries(expected)) {
      const got = found[number as keyof Numbers];
      if (got !== value) throw mismatch(name, number, { got, value }, plan);
    }
  }
}

type Numbers = ReturnType<typeof numbersOf>;

function numbersOf({ passed, failed, inconclusive, metrics }: TriggerResult) {
  const query = metrics?.query;
  return {
    passed,
    failed,
    inconclusive,
    recall: query?.recall ?? null,
    precision: query?.precision ?? null,
    specificity: query?.specificity ?? null,
    mcc: query?.mcc ?? null,
    coverage: query?.coverage ?? null,
  };
}

function expectations(positives: number, negatives: number): Record<keyof SyntheticJudges, Partial<Numbers>> {
  const all = positives + negatives;
  const ifPositives = (value: number) => (positives === 0 ? null : value);
  const ifNegatives = (value: number) => (negatives === 0 ? null : value);
  const covered = { inconclusive: 0, coverage: all === 0 ? null : 1 };
  return {
    perfect: {
      ...covered,
      passed: all,
      failed: 0,
      recall: ifPositives(1),
      specificity: ifNegatives(1),
      mcc: positives === 0 || negatives === 0 ? null : 1,
    },
    never: {
      ...covered,
      passed: negatives,
      failed: positives,
      recall: ifPositives(0),
      precision: null,
      specificity: ifNegatives(1),
    },
    always: {
      ...covered,
      passed: positives,
      failed: negatives,
      recall: ifPositives(1),
      specificity: ifNegatives(0),
    },
  };
}

/** Judges these queries as a run does, and folds what comes out. */
export async function judgeAll(
  queries: readonly TriggerQuery[],
  { repeats, threshold, questionOf, signal }: SelfCheckPlan,
  judge: Judge,
): Promise<TriggerResult> {
  const subject = { skillId: "", skillDigest: "", judge: nameOf(judge), repeats, threshold };
  const fold = queryFold(subject);
  const lanes = new Places(repeats);
  for (const query of queries) {
    const scorer = triggerScorer({ side: query.side, repeats, threshold, agreement: null });
    const output = (await judgeQuery(questionOf(query), { judge, repeats, lanes, signal })) as Json;
    const result = resultOf(scorer.score({ output }), output);
    fold.add(queryLine({ ...subject, query, seed: 0, cardSha256: "", catalogSha256: "" }, result));
  }
  const sides = queries.map(({ side }) => side);
  return fold.result({
    baselines: baselines(sides, null),
    agreement: null,
    gate: { lines: {}, on: "point" },
  });
}

function nameOf({ kind, model, prompt, label }: Judge): JudgeName {
  return { kind, model, prompt, label };
}

function resultOf(score: Score, output: Json): QueryResult {
  const rest = { output, finishedAt: "" };
  if (score.score === null) {
    const error = { code: score.cause, message: score.message };
    return { status: "invalid", reason: null, error, ...rest };
  }
  return { status: score.passed ? "pass" : "fail", reason: score.reason, error: null, ...rest };
}

function mismatch(
  name: string,
  number: string,
  { got, value }: { got: number | null; value: number | null },
  { repeats, threshold }: SelfCheckPlan,
): UserError {
  const needed = leastRepeats(threshold);
  const hint =
    repeats > 1 && repeats < needed
      ? `${repeats} answers can never clear a threshold of ${threshold}, even if all agree: ask with --runs ${needed}`
      : "nothing was asked of the real judge; please report this as a bug of eval-skills";
  const message = `self-check: the ${name} judge has ${number} ${told(got)} where ${told(value)} is known to be right`;
  return new UserError("self-check-failed", message, { hint });
}

function told(value: number | null): string {
  return value === null ? "undefined" : String(value);
}
