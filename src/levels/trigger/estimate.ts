import type { JudgeName, SkipReason } from "../../contract/trigger-report.ts";
import { type CostEstimate, estimateCost } from "../../models/cost.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import type { ReadyTriggers } from "./prepare.ts";
import type { TriggerSubject } from "./subject.ts";

/** What a trigger suite would ask, and what that would cost. */
export interface TriggerEstimate {
  skills: {
    skillId: string;
    skipped: SkipReason | null;
    judge: JudgeName;
    queries: number;
    repeats: number;
    judgments: number;
  }[];
  queries: number;
  judgments: number;
  /** Judgments that an earlier run has paid for. */
  cached: number;
  /** Null where no model is asked. */
  tokensIn: number | null;
  maxOutputTokens: number | null;
  /** Null where a price is unknown. */
  usd: number | null;
  maxUsd: number | null;
}

/** Estimates a trigger suite without calling a model: its judges collect their questions. */
export async function estimateTriggers({ subjects, judges }: ReadyTriggers): Promise<TriggerEstimate> {
  const skills = subjects.map(({ skill, skipped, judgeName, queries, repeats }) => ({
    skillId: skill.id,
    skipped,
    judge: judgeName,
    queries: queries.length,
    repeats,
    judgments: queries.length * repeats,
  }));
  let cached = 0;
  for (const subject of subjects) cached += await gatherQuestions(subject);
  const costs: CostEstimate[] = [];
  for (const [model, requests] of judges.unsentRequests)
    costs.push(await estimateCost(requests, judges.registry.findPrice(model)));
  const sum = (part: (cost: CostEstimate) => number | null) =>
    costs.reduce<number | null>((total, cost) => add(total, part(cost)), 0);
  const asksModel = costs.length > 0;
  return {
    skills,
    queries: skills.reduce((total, { queries }) => total + queries, 0),
    judgments: skills.reduce((total, { judgments }) => total + judgments, 0),
    cached,
    tokensIn: asksModel ? sum(({ tokensIn }) => tokensIn) : null,
    maxOutputTokens: asksModel ? sum(({ maxOutputTokens }) => maxOutputTokens) : null,
    usd: asksModel ? sum(({ usd }) => usd) : 0,
    maxUsd: asksModel ? sum(({ maxUsd }) => maxUsd) : 0,
  };
}

/** Lets the judge of a skill make its questions, and returns how many are cached. */
async function gatherQuestions({ judge, queries, repeats, judged, digest }: TriggerSubject): Promise<number> {
  if (judge === null || !judge.isPaid || judge.kind === "agent") return 0;
  let cached = 0;
  for (const { id, text } of queries) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const question = { skill: { ...judged, digest }, query: { id, text }, repeat };
      const answer = await judge.judge(question, neverAborted);
      cached += Number(answer.cached);
    }
  }
  return cached;
}

function add(total: number | null, part: number | null): number | null {
  return total === null || part === null ? null : total + part;
}
