import type { MetricName } from "../contract/diff.ts";
import type {
  JudgeName,
  QuerySummary,
  TriggeringEntry,
  TriggerReportFile,
  TriggerResult,
} from "../contract/trigger-report.ts";
import { triggeringSuite } from "../contract/trigger-report.ts";
import type { ComparedSide, TriedTask } from "./compared-side.ts";

/** A skill's trigger tests in one report, and who judged them how. */
export interface JudgedSide extends ComparedSide {
  /** In words; other words are another judge. */
  judge: string;
}

/** What a report of `trigger` says of one skill. */
export function triggerSide(result: TriggerReportFile["results"][number]): JudgedSide {
  const { metrics, latency, repeats, threshold } = result;
  const figures = { ...figuresOf(result, metrics?.query ?? null), latencyP95Ms: latency.p95Ms };
  const judge = `${judgeWords(result.judge)}, repeats ${repeats}, threshold ${threshold}`;
  return { ...sideOf(result, result.queries, figures), judge };
}

/** What a report of `eval` or `run` says of the triggering of one skill. */
export function triggeringSide(entry: TriggeringEntry): JudgedSide {
  return sideOf(entry, entry.results ?? [], figuresOf(entry, entry.metrics));
}

function sideOf(
  { skillId, judge }: Pick<TriggerResult, "skillId" | "judge">,
  queries: readonly QuerySummary[],
  figures: ComparedSide["figures"],
): JudgedSide {
  const isRouter = judge.kind === "router";
  return {
    skillId,
    benchmarkId: triggeringSuite,
    judge: judgeWords(judge),
    tasks: queries.map((query) => triedQuery(query, isRouter)),
    figures,
  };
}

function judgeWords({ kind, label = kind, model, prompt }: JudgeName): string {
  return [label, model, prompt].filter((part) => part !== null).join(" ");
}

function figuresOf(
  { passed, failed, inconclusive }: Pick<TriggerResult, "passed" | "failed" | "inconclusive">,
  metrics: TriggeringEntry["metrics"],
): Partial<Record<MetricName, number | null>> {
  const total = passed + failed + inconclusive;
  return {
    passRate: total === 0 ? null : passed / total,
    recall: metrics?.recall ?? null,
    precision: metrics?.precision ?? null,
    mcc: metrics?.mcc ?? null,
  };
}

/**
 * The answers to a query are its trials: a right one passed. Unusable ones count nowhere, and none of a query does
 * whose judge did not reach its quorum. A query that was merely undecided has answers like any other.
 */
function triedQuery(query: QuerySummary, isRouter: boolean): TriedTask {
  const { queryId, query: text, side, cause, yes, no } = query;
  const hasQuorum = cause !== "no-verdict" && cause !== "judge-error";
  const right = side === "should_match" ? yes : no;
  return {
    taskId: queryId,
    content: JSON.stringify([side, text]), // a request that changed sides is another test
    valid: hasQuorum ? yes + no : 0,
    passed: hasQuorum ? right : 0,
    // The router answers alike however often it is asked, so one answer of it is no matter of luck.
    ...(isRouter && { worth: Number.POSITIVE_INFINITY }),
    title: `${side} “${text}”`,
  };
}
