import type { CanaryFigures } from "../../../contract/figures.ts";
import type { Judge, JudgeAnswer } from "../../../contract/judge.ts";
import type { JudgeReliance } from "../../../contract/judge-reliance.ts";
import { tryCanaries } from "../../../scorers/canaries.ts";
import type { Judgment } from "../../../scorers/llm-judge-ask.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import { askOnce, judgmentUsage } from "../verdict/judge-query.ts";
import { type KnownRequest, knownRequests } from "./known-requests.ts";
import { noEffort } from "./no-effort.ts";

/** A judge that is asked about known requests before its first answer; where it fails them it gives none, unless it is trusted. */
export function checkedJudge(judge: Judge, known: Judge, reliance: JudgeReliance): Judge {
  if (reliance === "unchecked") return judge;
  let checking: Promise<CanaryFigures> | null = null;
  const check = (signal: AbortSignal) => {
    checking ??= tryCanaries(judgeTitle(judge), knownRequests, (canary, trial) =>
      askKnown(canary, known, { trial, signal }),
    );
    return checking;
  };
  return {
    ...judge,
    check,
    async judge(question, signal) {
      const { problem, cause } = await check(signal);
      if (problem === null) return judge.judge(question, signal);
      if (reliance === "trusted") return { ...(await judge.judge(question, signal)), problem };
      const code = cause === "judge-unreliable" ? "unreliable" : "unchecked";
      return { outcome: "error", code, message: problem, ...noEffort };
    },
  };
}

/** What a model is called where it judges requests: it may judge answers as well. */
export function judgeTitle({ kind, model, label }: Pick<Judge, "kind" | "model" | "label">): string {
  return `${model ?? label} (${kind === "catalog" ? "catalog" : "triggers"})`;
}

/** The questions about known requests, as a judge is asked them. */
function knownQuestion({ skill, request }: KnownRequest, repeat: number) {
  const digest = sha256(JSON.stringify(skill.card));
  return { skill: { ...skill, digest }, query: { id: sha256(request).slice(7, 19), text: request }, repeat };
}

/** Lets a judge make its questions about known requests, as often as it may be asked them: a dry run collects what they cost. */
export async function gatherKnownRequests(known: Judge): Promise<void> {
  for (const canary of knownRequests)
    for (let repeat = 0; repeat < (canary.isAttack ? 3 : 1); repeat++)
      await known.judge(knownQuestion(canary, repeat), neverAborted);
}

async function askKnown(
  canary: KnownRequest,
  judge: Judge,
  { trial, signal }: { trial: number; signal: AbortSignal },
): Promise<Judgment> {
  const answer = await askOnce(knownQuestion(canary, trial - 1), { judge, signal });
  const record = {
    model: judge.model ?? judge.label,
    calls: 1,
    latencyMs: answer.ms,
    usage: judgmentUsage(answer),
  };
  switch (answer.outcome) {
    case "yes":
    case "no":
      return { score: knownScore(answer, canary), reason: answer.reason, judge: record };
    case "invalid":
      return { score: null, cause: "no-verdict", message: answer.why, judge: record };
    case "error":
      return { score: null, cause: "judge-error", message: answer.message, judge: record };
    default:
      return answer satisfies never;
  }
}

/** 1 for a yes. Where another skill was chosen for a request that is for none, the answer is as wrong as a yes. */
function knownScore(
  answer: JudgeAnswer & { outcome: "yes" | "no"; chosen?: string | null | undefined },
  { knownScore: known }: KnownRequest,
): number {
  const isWrongChoice = known === 0 && typeof answer.chosen === "string";
  return Number(answer.outcome === "yes" || isWrongChoice);
}
