import { hash } from "node:crypto";
import { Judgment, type UnusableReply } from "../../../contract/judge.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { shorten } from "../../../shared/text/visible-text.ts";

type When = Pick<Judgment, "repeat" | "ms">;

const longestReason = 400;
const longestText = 500;
const maxReasked = 10;

/** What is kept of a judge's answer. Judges may be plugged in by anybody: one that does not fit is invalid, long texts are cut. */
export function keepAnswer(given: unknown, { repeat, ms }: When): Judgment {
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
export function brokenOff(error: unknown, { repeat, ms }: When): Judgment {
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
