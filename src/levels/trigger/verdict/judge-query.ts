import { hash } from "node:crypto";
import { type Judge, type JudgeQuestion, Judgment, type UnusableReply } from "../../../contract/judge.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { shorten } from "../../../shared/text/visible-text.ts";

/** What a judge is asked, without which repetition it is. */
export type QueryQuestion = Omit<JudgeQuestion, "repeat">;

interface JudgeWorld {
  judge: Judge;
  signal: AbortSignal;
  clock?: Clock | undefined;
}

/** Puts one question to a judge. What is no answer stays invalid or an error; it is never read as a no. */
export async function askOnce(question: JudgeQuestion, world: JudgeWorld): Promise<Judgment> {
  const { judge, signal, clock = systemClock } = world;
  const { repeat } = question;
  const began = clock.monotonic();
  const tookMs = () => Math.round(clock.monotonic() - began);
  try {
    return keepAnswer(await judge.judge(question, signal), { repeat, ms: tookMs() });
  } catch (error) {
    signal.throwIfAborted();
    return brokenOff(error, { repeat, ms: tookMs() });
  }
}

type When = Pick<Judgment, "repeat" | "ms">;

const longestReason = 400;
const longestText = 500;
const maxReasked = 10;

/** What is kept of a judge's answer. Judges may be plugged in by anybody: one that does not fit is invalid, long texts are cut. */
function keepAnswer(given: unknown, { repeat, ms }: When): Judgment {
  const read = Judgment.safeParse(given !== null && typeof given === "object" ? { ...given, repeat } : given);
  if (read.success) return trimmed(read.data);
  const raw = textOf(given);
  return {
    repeat,
    outcome: "invalid",
    why: shorten(`invalid answer from the judge: ${zodProblem(read.error, given).message}`, longestText),
    raw: shorten(raw, longestText),
    rawSha256: hash("sha256", raw, "hex"),
    lenientDecision: null,
    ms,
    ...untold,
  };
}

/** A judge that threw instead of answering gave no reply. */
function brokenOff(error: unknown, { repeat, ms }: When): Judgment {
  const message = `the judge failed: ${error instanceof Error ? error.message : textOf(error)}`;
  return {
    repeat,
    outcome: "error",
    code: "crashed",
    message: shorten(message, longestText),
    ms,
    ...untold,
  };
}

const untold = { tokensIn: null, tokensOut: null, usd: null, cached: false } as const;

function trimmed(judgment: Judgment): Judgment {
  const { reasked } = judgment;
  const kept = { ...(reasked !== undefined && { reasked: reasked.slice(0, maxReasked).map(trimmedReply) }) };
  switch (judgment.outcome) {
    case "yes":
    case "no":
      return { ...judgment, reason: shorten(judgment.reason, longestReason), ...kept };
    case "invalid":
      return { ...judgment, ...trimmedReply(judgment), ...kept };
    case "error":
      return { ...judgment, message: shorten(judgment.message, longestText), ...kept };
    default:
      return judgment satisfies never;
  }
}

function trimmedReply({ why, raw, rawSha256, lenientDecision }: UnusableReply): UnusableReply {
  return { why: shorten(why, longestText), raw: shorten(raw, longestText), rawSha256, lenientDecision };
}

/** Any value as text: what has no JSON, such as a circle, is named by its type. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}
