import type { LevelFold, MetricValue, OwnFigures } from "../../contract/level.ts";
import type { Router } from "../../contract/routing.ts";
import type { Baselines, QuerySummary, TriggerResult } from "../../contract/trigger-report.ts";
import { singleRateFigure } from "../../engine/figures/rate-figure.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import type { Json } from "../../shared/json/json.ts";
import type { TriggerSubjectDetails } from "./details.ts";
import { type LineFacts, queryLines } from "./query-lines.ts";
import type { TriggerSubject } from "./subject.ts";
import { queryFold, type TriggerFigures } from "./verdict/fold-queries.ts";
import { querySummary } from "./verdict/query-line.ts";
import { baselines } from "./verdict/trigger-metrics.ts";

interface TriggerFoldFacts extends LineFacts {
  /** The lexical router: the baseline that every model has to beat. */
  lexical: Router;
  /** Whether inconclusive queries count as known. */
  allowsInconclusive: boolean;
}

export interface TriggerFold extends LevelFold {
  /** The result of a query; null while trials of it are missing. */
  findSummary(skillId: string, queryId: string): QuerySummary | null;
}

/** Folds judgments into the verdicts of queries, and those into the figures of skills. Stores judgments only until their query is complete. */
export function triggerFold(subjects: readonly TriggerSubject[], facts: TriggerFoldFacts): TriggerFold {
  const lines = queryLines(subjects, facts);
  const byId = new Map(
    subjects.map((subject) => [
      subject.skill.id,
      {
        ...{ subject, unknown: 0, left: 0 },
        ...{ fold: queryFold(foldSubject(subject)), queries: new Map<string, QuerySummary>() },
      },
    ]),
  );
  let failed = 0;
  return {
    add(result) {
      const line = lines.add(result);
      if (line === null) return;
      const found = byId.get(line.skillId);
      if (found === undefined) return;
      found.fold.add(line);
      found.queries.set(line.queryId, querySummary(line));
      if (line.verdict === "fail") failed++;
      if (line.cause !== null && !(line.cause === "undecided" && facts.allowsInconclusive)) found.unknown++;
    },
    leaveOut({ skillId }, _, caseIds) {
      const found = byId.get(skillId ?? "");
      if (found !== undefined) found.left += caseIds.size;
    },
    async figures({ skillId }) {
      const found = byId.get(skillId ?? "");
      if (found === undefined) throw new Error(`${skillId} has no trigger tests`);
      const { subject, fold } = found;
      const measures = {
        baselines: await subjectBaselines(subject, facts.lexical),
        agreement: subject.agreement,
      };
      const queries = subject.queries.flatMap(({ id }) => found.queries.get(id) ?? []);
      return {
        ...ownFigures(subject, fold.figures(measures), queries, facts.catalogSha256),
        unknown: { count: found.unknown, of: subject.queries.length - found.left },
      };
    },
    overall: () => ({ failedQueries: { value: failed } }),
    findSummary: (skillId, queryId) => byId.get(skillId)?.queries.get(queryId) ?? null,
  };
}

function foldSubject({ skill, digest, judgeName, repeats, threshold }: TriggerSubject) {
  return { skillId: skill.id, skillDigest: digest, judge: judgeName, repeats, threshold };
}

function ownFigures(
  { gate, cardSha256, judgeName }: TriggerSubject,
  figures: TriggerFigures,
  queries: QuerySummary[],
  catalogSha256: string,
): OwnFigures {
  const { skillId, skillDigest, ...rounded } = roundResult(figures);
  const details: TriggerSubjectDetails = { ...rounded, gate, cardSha256, catalogSha256, queries };
  // The router always gives the same answer, so one is enough.
  const isScripted = judgeName.kind === "router";
  return {
    metrics: subjectMetrics(figures, queries),
    details: { ...(details as unknown as Record<string, Json>), isScripted },
  };
}

/** At full precision, as gates need them. */
function subjectMetrics(
  figures: TriggerFigures,
  queries: readonly QuerySummary[],
): Record<string, MetricValue> {
  const { passed, failed, inconclusive, metrics, latency, usd, invalidRate } = figures;
  const { tp, fp, tn, fn, asked, intervals, ...query } = metrics.query;
  const all = passed + failed + inconclusive;
  const answered = tp + fp + tn + fn;
  const decided = passed + queries.filter(({ verdict }) => verdict === "fail").length;
  return {
    decidedPassRate: singleRateFigure(passed, decided),
    completionWithInvalid: singleRateFigure(passed, all),
    passRate: singleRateFigure(passed, all),
    recall: singleRateFigure(tp, tp + fn),
    precision: singleRateFigure(tp, tp + fp),
    mcc: { value: query.mcc, interval: intervals.mcc ?? null, n: answered },
    specificity: singleRateFigure(tn, tn + fp),
    f1: { value: query.f1, n: answered },
    accuracy: { value: query.accuracy, n: answered },
    balancedAccuracy: { value: query.balancedAccuracy, n: answered },
    coverage: { value: query.coverage, n: asked },
    invalidRate: { value: invalidRate },
    usd: { value: usd },
    failedQueries: { value: queries.filter(({ verdict }) => verdict === "fail").length, n: all },
    // Latencies of replies, for cached ones the original; the time of a cell says nothing about a judge.
    latencyP50Ms: { value: latency.p50Ms },
    latencyP95Ms: { value: latency.p95Ms },
  };
}

/** The figures of simpler judges over the same queries. */
async function subjectBaselines(
  { skill, queries, judge }: TriggerSubject,
  lexical: Router,
): Promise<Baselines> {
  const sides = queries.map(({ side }) => side);
  const isItself = judge?.kind === "router" && judge.model === null;
  if (isItself) return baselines(sides, null);
  const answers = [];
  for (const { text, side } of queries) {
    const { skills } = await lexical.route({ query: text, about: [] }, neverAborted);
    answers.push({ side, isYes: skills.some(({ id, selected }) => selected && id === skill.id) });
  }
  return baselines(sides, answers);
}

type RoundedParts = Pick<TriggerResult, "metrics" | "positionBias" | "invalidRate" | "usd" | "latency">;

/** A result as it is written: shares to 4 decimals, latencies to 3, money to 6. Gates use the one before. */
export function roundResult<Result extends RoundedParts>(result: Result): Result {
  return {
    ...result,
    metrics: roundEach(result.metrics, 4),
    positionBias: roundEach(result.positionBias, 4),
    invalidRate: roundEach(result.invalidRate, 4),
    usd: roundEach(result.usd, 6),
    latency: roundEach(result.latency, 3),
  };
}

/** Every number in it, however deep. Counts are whole and stay as they are. */
function roundEach<Value>(value: Value, decimals: number): Value {
  if (typeof value === "number") return Number(value.toFixed(decimals)) as Value;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => roundEach(item, decimals)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, roundEach(item, decimals)]),
  ) as Value;
}
