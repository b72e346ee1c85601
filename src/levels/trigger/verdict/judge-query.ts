import { hash } from "node:crypto";
import { type Judge, type JudgeQuestion, Judgment, type UnusableReply } from "../../../contract/judge.ts";
import type { Usage } from "../../../contract/outcome.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { shorten } from "../../../shared/text/visible-text.ts";

/** A question without the number of its repetition. */
export type QueryQuestion = Omit<JudgeQuestion, "repeat">;

interface AskContext {
  judge: Judge;
  signal: AbortSignal;
  clock?: Clock | undefined;
}

/** Asks a judge one question. A missing answer stays invalid or an error; it is never read as a no. */
export async function askOnce(question: JudgeQuestion, context: AskContext): Promise<Judgment> {
  const { judge, signal, clock = systemClock } = context;
  const { repeat } = question;
  const began = clock.monotonic();
  const tookMs = () => Math.round(clock.monotonic() - began);
  try {
    return keepAnswer(await judge.judge(question, signal), { repeat, ms: tookMs() });
  } catch (error) {
    signal.throwIfAborted();
    return crashedJudgment(error, { repeat, ms: tookMs() });
  }
}

type When = Pick<Judgment, "repeat" | "ms">;

const maxReasonChars = 400;
const maxTextChars = 500;
const maxReasked = 10;

/** Validates a judge's answer, since judges may be third-party: one that does not match is invalid, long texts are cut. */
function keepAnswer(given: unknown, { repeat, ms }: When): Judgment {
  const read = Judgment.safeParse(given !== null && typeof given === "object" ? { ...given, repeat } : given);
  if (read.success) return trimmed(read.data);
  const raw = valueText(given);
  return {
    repeat,
    outcome: "invalid",
    why: shorten(`invalid answer from the judge: ${zodProblem(read.error, given).message}`, maxTextChars),
    raw: shorten(raw, maxTextChars),
    rawSha256: hash("sha256", raw, "hex"),
    lenientDecision: null,
    ms,
    ...unknownEffort,
  };
}

/** A judge that threw instead of answering gave no reply. */
function crashedJudgment(error: unknown, { repeat, ms }: When): Judgment {
  const message = `the judge failed: ${error instanceof Error ? error.message : valueText(error)}`;
  return {
    repeat,
    outcome: "error",
    code: "crashed",
    message: shorten(message, maxTextChars),
    ms,
    ...unknownEffort,
  };
}

const unknownEffort = { tokensIn: null, tokensOut: null, usd: null, cached: false } as const;

function trimmed(judgment: Judgment): Judgment {
  const { reasked } = judgment;
  const storedReplies = {
    ...(reasked !== undefined && { reasked: reasked.slice(0, maxReasked).map(trimmedReply) }),
  };
  switch (judgment.outcome) {
    case "yes":
    case "no":
      return { ...judgment, reason: shorten(judgment.reason, maxReasonChars), ...storedReplies };
    case "invalid":
      return { ...judgment, ...trimmedReply(judgment), ...storedReplies };
    case "error":
      return { ...judgment, message: shorten(judgment.message, maxTextChars), ...storedReplies };
    default:
      return judgment satisfies never;
  }
}

function trimmedReply({ why, raw, rawSha256, lenientDecision }: UnusableReply): UnusableReply {
  return { why: shorten(why, maxTextChars), raw: shorten(raw, maxTextChars), rawSha256, lenientDecision };
}

/** Any value as text; the type of one without JSON, such as a cycle. */
function valueText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** The usage of one judgment; a cached one costs nothing. */
export function judgmentUsage({ tokensIn, tokensOut, usd, cached }: Judgment): Usage | null {
  if (tokensIn === null && tokensOut === null) return null;
  return {
    promptTokens: tokensIn,
    completionTokens: tokensOut,
    totalTokens: tokensIn !== null && tokensOut !== null ? tokensIn + tokensOut : null,
    costUsd: cached ? 0 : usd,
  };
}
