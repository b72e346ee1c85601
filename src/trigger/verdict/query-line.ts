import * as z from "zod";
import { Judgment } from "../../contract/judge.ts";
import type { CellResult } from "../../contract/result.ts";
import {
  type JudgeName,
  type QueryLine,
  type QuerySummary,
  type SkipReason,
  type TriggerCause,
  triggerCauses,
} from "../../contract/trigger-report.ts";
import type { TriggerQuery } from "../../contract/triggering.ts";
import { countAnswers } from "./count-answers.ts";

/** What the plan knows about a query before anybody is asked. */
export interface QueryFacts {
  skillId: string;
  skillDigest: string;
  query: Pick<TriggerQuery, "id" | "text" | "side" | "belongsTo" | "tags">;
  judge: JudgeName;
  repeats: number;
  seed: number;
  cardSha256: string;
  catalogSha256: string;
}

/** What a line needs of the stored result of its cell. */
export type QueryResult = Pick<CellResult, "status" | "output" | "reason" | "error" | "finishedAt">;

/** What came of one query, as reports and the log tell it. The verdict is the stored one; it is not decided again. */
export function queryLine(facts: QueryFacts, result: QueryResult): QueryLine {
  const { query } = facts;
  const judgments = judgmentsOf(facts, result);
  const { rate, interval, flips, chosen, ...counts } = countAnswers(judgments, facts.repeats);
  return {
    skillId: facts.skillId,
    queryId: query.id,
    query: query.text,
    side: query.side,
    ...verdictOf(result),
    ...counts,
    rate: rate && rounded(rate, 4),
    interval: interval && [rounded(interval[0], 3), rounded(interval[1], 3)],
    flips,
    unreplicated: facts.repeats === 1 && rate !== null,
    reason: result.reason ?? result.error?.message ?? null,
    ...(chosen !== undefined && { chosen }),
    belongsTo: query.belongsTo,
    tags: query.tags,
    judge: facts.judge,
    judgments,
    seed: facts.seed,
    skillDigest: facts.skillDigest,
    cardSha256: facts.cardSha256,
    catalogSha256: facts.catalogSha256,
    ts: result.finishedAt,
  };
}

/** The same without its judgments and where it stands. */
export function querySummary(line: QueryLine): QuerySummary {
  const { skillId, judge, judgments, seed, skillDigest, cardSha256, catalogSha256, ts, ...summary } = line;
  return summary;
}

/** What the line log says about a query, besides its head. */
export function logLine(line: QueryLine): QueryLine & { kind: "trigger" } {
  return { kind: "trigger", ...line };
}

export interface Skip {
  skillId: string;
  reason: SkipReason;
  judge?: JudgeName | undefined;
  seed: number;
  skillDigest: string;
  ts: string;
}

/** What the line log says about a skill without trigger tests. */
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

/** A cell that ended without an answer, such as at its deadline, has no judgments. */
function judgmentsOf({ skillId, query }: QueryFacts, { output }: QueryResult): Judgment[] {
  if (output === null) return [];
  const read = z.array(Judgment).safeParse(output);
  if (!read.success) throw new Error(`the judgments on query ${query.id} of ${skillId} cannot be read`);
  return read.data;
}

/** Whatever else kept a query from its verdict, nobody answered it. */
function verdictOf({ status, error }: QueryResult): Pick<QueryLine, "verdict" | "cause"> {
  if (status === "pass" || status === "fail") return { verdict: status, cause: null };
  return { verdict: "invalid", cause: isTriggerCause(error?.code) ? error.code : "judge-error" };
}

function isTriggerCause(code: string | undefined): code is TriggerCause {
  return triggerCauses.some((cause) => cause === code);
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
