import type { Judge, Judgment } from "../../contract/judge.ts";
import type { JudgeName } from "../../contract/trigger-report.ts";
import type { TriggerQuery } from "../../contract/triggering.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { UserError } from "../../shared/user-error.ts";
import { alwaysJudge, neverJudge, perfectJudge } from "./judges/synthetic-judges.ts";
import type { TriggerSubject } from "./subject.ts";
import { isUnreplicated, minRepeats } from "./verdict/decide-query.ts";
import { queryFold, type TriggerFigures } from "./verdict/fold-queries.ts";
import { askOnce, type QueryQuestion } from "./verdict/judge-query.ts";
import { queryLine } from "./verdict/query-line.ts";
import { baselines } from "./verdict/trigger-metrics.ts";

/** Runs synthetic judges with known results over the queries of each skill, before any paid call. */
export async function checkJudging(subjects: readonly TriggerSubject[]): Promise<void> {
  for (const { queries, judged, digest, repeats, threshold, skipped } of subjects) {
    if (skipped !== null) continue;
    const plan = {
      repeats,
      threshold,
      makeQuestion: (query: { id: string; text: string }) => ({ skill: { ...judged, digest }, query }),
      signal: neverAborted,
    };
    const sides = new Map(queries.map(({ id, side }) => [id, side]));
    await selfCheck(queries, plan, {
      perfect: perfectJudge(sides),
      never: neverJudge(),
      always: alwaysJudge(),
    });
  }
}

/** Judges whose figures are known in advance. */
export interface SyntheticJudges {
  perfect: Judge;
  never: Judge;
  always: Judge;
}

interface SelfCheckPlan {
  repeats: number;
  threshold: number;
  makeQuestion(query: TriggerQuery): QueryQuestion;
  signal: AbortSignal;
}

/** Runs synthetic judges over the same queries as the real one. An unexpected figure stops the run. */
export async function selfCheck(
  queries: readonly TriggerQuery[],
  plan: SelfCheckPlan,
  judges: SyntheticJudges,
): Promise<void> {
  const positives = queries.filter(({ side }) => side === "should_match").length;
  const negatives = queries.length - positives;
  for (const [name, expected] of Object.entries(expectations(positives, negatives))) {
    const found = checkedFigures(await judgeAll(queries, plan, judges[name as keyof SyntheticJudges]));
    for (const [number, value] of Object.entries(expected)) {
      const got = found[number as keyof Numbers];
      if (got !== value) throw mismatch(name, number, { got, value }, plan);
    }
  }
}

type Numbers = ReturnType<typeof checkedFigures>;

function checkedFigures({ passed, failed, inconclusive, metrics }: TriggerFigures) {
  const { query } = metrics;
  return {
    passed,
    failed,
    inconclusive,
    recall: query.recall,
    precision: query.precision,
    specificity: query.specificity,
    mcc: query.mcc,
    coverage: query.coverage,
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

/** Judges these queries as a run does, and folds the judgments. */
export async function judgeAll(
  queries: readonly TriggerQuery[],
  { repeats, threshold, makeQuestion, signal }: SelfCheckPlan,
  judge: Judge,
): Promise<TriggerFigures> {
  const subject = { skillId: "", skillDigest: "", judge: toJudgeName(judge), repeats, threshold };
  const fold = queryFold(subject);
  const facts = { ...subject, agreement: null, seed: 0, cardSha256: "", catalogSha256: "" };
  for (const query of queries) {
    const judgments: Judgment[] = [];
    for (let repeat = 0; repeat < repeats; repeat++)
      judgments.push(await askOnce({ ...makeQuestion(query), repeat }, { judge, signal }));
    fold.add(queryLine({ ...facts, query }, judgments, ""));
  }
  const sides = queries.map(({ side }) => side);
  return fold.figures({ baselines: baselines(sides, null), agreement: null });
}

function toJudgeName({ kind, model, prompt, label }: Judge): JudgeName {
  return { kind, model, prompt, label };
}

function mismatch(
  name: string,
  number: string,
  { got, value }: { got: number | null; value: number | null },
  { repeats, threshold }: SelfCheckPlan,
): UserError {
  const needed = minRepeats(threshold);
  const hint =
    !isUnreplicated({ repeats }) && repeats < needed
      ? `${repeats} answers can never clear a threshold of ${threshold}, even if all agree: use --runs ${needed}`
      : "the real judge was not called; please report this as a bug in eval-skills";
  const message = `self-check: expected ${number} ${shown(value)} from the ${name} judge, got ${shown(got)}`;
  return new UserError("self-check-failed", message, { hint });
}

function shown(value: number | null): string {
  return value === null ? "undefined" : String(value);
}
