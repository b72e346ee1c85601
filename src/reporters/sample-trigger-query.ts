import { sha256 } from "../base/canonical-json.ts";
import type { Judgment } from "../contract/judge.ts";
import type { JudgeName, QueryLine, TriggerCause } from "../contract/trigger-report.ts";
import { wilson } from "../statistics/wilson.ts";

export const modelJudge: JudgeName = {
  kind: "model",
  model: "claude-haiku-4-5-20251001",
  prompt: "trigger-card/1",
  label: "model",
  why: "eval.yaml",
};
export const catalogJudge: JudgeName = {
  kind: "catalog",
  model: "claude-haiku-4-5-20251001",
  prompt: "trigger-catalog/1",
  label: "catalog",
  why: "--judge",
};
export const routerJudge: JudgeName = {
  kind: "router",
  model: null,
  prompt: "router/1",
  label: "router (lexical)",
  why: "no model configured",
};

/** What judges answered: `Y` and `N` are decisions, `y`, `n` and `?` unusable replies and what they meant, `E` is none. */
type SampleAnswers = string | readonly (string | null)[];

export interface SampleQuery {
  query: string;
  /** One letter per repetition, or the skill that was chosen each time. */
  answers: SampleAnswers;
  skillId?: string;
  queryId?: string;
  side?: QueryLine["side"];
  belongsTo?: string;
  tags?: string[];
  judge?: JudgeName;
  reason?: string;
  threshold?: number;
}

/** A query for tests with the verdict that its answers give, as the engine would tell it. */
export function sampleQuery(given: SampleQuery): QueryLine {
  const { query, answers, skillId = "refactor", side = "should_match", threshold = 0.5 } = given;
  const judgments = [...answers].map((answer, repeat) => judgmentOf(answer, repeat, given, skillId));
  const count = (outcome: Judgment["outcome"]) => judgments.filter((one) => one.outcome === outcome).length;
  const [yes, no, invalid, error] = [count("yes"), count("no"), count("invalid"), count("error")];
  const bounds = wilson(yes, yes + no);
  const interval: QueryLine["interval"] = bounds && [rounded(bounds.lower), rounded(bounds.upper)];
  const cause = causeOf({ repeats: judgments.length, valid: yes + no, error, interval, threshold });
  const isYes = yes > no;
  return {
    skillId,
    queryId: given.queryId ?? sha256(query).slice(7, 19),
    query,
    side,
    belongsTo: given.belongsTo ?? null,
    tags: given.tags ?? [],
    verdict: cause !== null ? "invalid" : isYes === (side === "should_match") ? "pass" : "fail",
    cause,
    repeats: judgments.length,
    yes,
    no,
    invalid,
    error,
    rate: bounds && rounded(yes / (yes + no)),
    interval,
    flips: yes > 0 && no > 0,
    unreplicated: judgments.length === 1,
    reason: given.reason ?? reasonOf(judgments, wonBy(cause, isYes)),
    ...(typeof answers !== "string" && { chosen: mostOf(answers) }),
    judge: given.judge ?? modelJudge,
    judgments,
    seed: 0,
    skillDigest: `sha256:${"5f1e".repeat(16)}`,
    cardSha256: "c0de".repeat(16),
    catalogSha256: "ca7a".repeat(16),
    ts: "2026-03-01T07:24:31.007Z",
  };
}

function judgmentOf(
  answer: string | null,
  repeat: number,
  { answers, reason, judge = modelJudge }: SampleQuery,
  skillId: string,
): Judgment {
  const isFree = judge.kind === "router";
  const effort = {
    repeat,
    ms: isFree ? 0.4 : 380 + repeat * 25,
    tokensIn: isFree ? null : 310,
    tokensOut: isFree ? null : 17,
    usd: isFree ? 0 : 0.0004,
    cached: false,
  };
  const rawSha256 = "ab12".repeat(16);
  if (typeof answers !== "string") {
    const outcome = answer === skillId ? "yes" : "no";
    const order = repeat % 2 === 0 ? [...sampleCatalog] : sampleCatalog.toReversed();
    const told = {
      ...effort,
      outcome,
      reason: reason ?? `Chose ${answer ?? "NONE"}.`,
      chosen: answer,
    } as const;
    return isFree ? told : { ...told, rawSha256, order };
  }
  switch (answer) {
    case "Y":
      return { ...effort, outcome: "yes", reason: reason ?? "The card names this kind of work.", rawSha256 };
    case "N":
      return { ...effort, outcome: "no", reason: reason ?? "The card says nothing about it.", rawSha256 };
    case "E":
      return {
        ...effort,
        tokensIn: null,
        tokensOut: null,
        usd: null,
        outcome: "error",
        code: "timeout",
        message: "no reply within 30000 ms",
      };
    default: {
      const lenientDecision = answer === "y" ? "yes" : answer === "n" ? "no" : null;
      const raw = lenientDecision === null ? "It depends." : `Decision: ${lenientDecision}`;
      return { ...effort, outcome: "invalid", why: "no decision line", raw, rawSha256, lenientDecision };
    }
  }
}

/** The skills that the cards of the samples stand for. */
export const sampleCatalog: readonly string[] = ["contract-review", "doc-editor", "refactor", "slides"];

function causeOf(told: {
  repeats: number;
  valid: number;
  error: number;
  interval: QueryLine["interval"];
  threshold: number;
}): TriggerCause | null {
  const { repeats, valid, error, interval, threshold } = told;
  const quorum = Math.ceil(0.8 * repeats);
  if (valid < quorum || interval === null) return valid + error >= quorum ? "judge-error" : "no-verdict";
  const [lower, upper] = interval;
  return repeats > 1 && lower <= threshold && upper >= threshold ? "undecided" : null;
}

/** The outcome that speaks for a query: of the side that won, or of what kept it from a verdict. */
function wonBy(cause: TriggerCause | null, isYes: boolean): Judgment["outcome"] {
  if (cause === "judge-error") return "error";
  if (cause === "no-verdict") return "invalid";
  return isYes ? "yes" : "no";
}

function reasonOf(judgments: readonly Judgment[], wanted: Judgment["outcome"]): string | null {
  const told = judgments.find(({ outcome }) => outcome === wanted) ?? judgments[0];
  if (told === undefined) return null;
  if (told.outcome === "error") return `${told.code}: ${told.message}`;
  return told.outcome === "invalid" ? `${told.why}: ${told.raw}` : told.reason;
}

/** The choice of most answers; null for none. */
function mostOf(answers: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [null, 0])[0];
}

export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
