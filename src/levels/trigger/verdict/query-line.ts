import type { Judgment } from "../../../contract/judge.ts";
import type { JudgeName, QueryLine, QuerySummary, SkipReason } from "../../../contract/trigger-report.ts";
import type { TriggerQuery } from "../../../contract/triggering.ts";
import type { JsonObject } from "../../../shared/json/json.ts";
import { decideQuery, type QueryCase } from "./decide-query.ts";

/** What the plan contains about a query. */
export interface QueryFacts extends Pick<QueryCase, "repeats" | "threshold" | "agreement"> {
  skillId: string;
  skillDigest: string;
  query: Pick<TriggerQuery, "id" | "text" | "side" | "belongsTo" | "tags">;
  judge: JudgeName;
  seed: number;
  cardSha256: string;
  catalogSha256: string;
}

/** The result of one query, as reports and the log show it: its judgments in order, and what they decide. */
export function queryLine(facts: QueryFacts, judgments: readonly Judgment[], ts: string): QueryLine {
  const { query, repeats, threshold, agreement } = facts;
  const decision = decideQuery({ judgments, side: query.side, repeats, threshold, agreement });
  const { verdict, cause, rate, interval, flips, unreplicated, reason, chosen, ...counts } = decision;
  return {
    skillId: facts.skillId,
    queryId: query.id,
    query: query.text,
    side: query.side,
    verdict,
    cause,
    ...counts,
    rate: rate && rounded(rate, 4),
    interval: interval && [rounded(interval[0], 3), rounded(interval[1], 3)],
    flips,
    unreplicated,
    reason,
    ...(chosen !== undefined && { chosen }),
    belongsTo: query.belongsTo,
    tags: query.tags,
    judge: facts.judge,
    judgments,
    seed: facts.seed,
    skillDigest: facts.skillDigest,
    cardSha256: facts.cardSha256,
    catalogSha256: facts.catalogSha256,
    ts,
  };
}

/** The same without its judgments and context. */
export function querySummary(line: QueryLine): QuerySummary {
  const { skillId, judge, judgments, seed, skillDigest, cardSha256, catalogSha256, ts, ...summary } = line;
  return summary;
}

/** The line of a query in the log. */
export function logLine(line: QueryLine): QueryLine & { kind: "trigger" } {
  return { kind: "trigger", ...line };
}

interface Skip {
  skillId: string;
  reason: SkipReason;
  judge?: JudgeName | undefined;
  seed: number;
  skillDigest: string;
  ts: string;
}

/** The line of a skipped skill in the log. */
export function skipLine({ skillId, reason, judge, seed, skillDigest, ts }: Skip) {
  const spoken = judge === undefined ? {} : { judge };
  return {
    kind: "trigger",
    skillId,
    verdict: null,
    skipped: reason,
    ...spoken,
    seed,
    skillDigest,
    ts,
  } as const;
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** The telemetry of a judged query, without questions and answers. */
export function queryPayload(
  { side, verdict, yes, no, repeats }: QuerySummary,
  judge: Pick<JudgeName, "kind" | "model">,
): JsonObject {
  return { side, verdict, judge: judge.kind, model: judge.model, yes, valid: yes + no, repeats };
}

/** One name for a query of a skill, whatever letters are in either. */
export function queryName({ skillId, queryId }: { skillId: string; queryId: string }): string {
  return JSON.stringify([skillId, queryId]);
}
