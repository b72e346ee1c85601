import type { JsonSchema } from "../shared/json/json.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shortenWords } from "../shared/text/visible-text.ts";

export type JudgeVerdict =
  | { ok: true; score: number; reason: string | null }
  | { ok: false; problem: string };

/** What a judge's reply must look like, for providers that can enforce it. */
export const verdictSchema: JsonSchema = {
  type: "object",
  properties: { score: { type: "number" }, reason: { type: "string" } },
  required: ["score", "reason"],
  additionalProperties: false,
};

/** The default score from which an answer passes. */
export const defaultPassThreshold = 0.5;

const fence = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```$/i;
const maxReasonChars = 2000;
const maxReplyBytes = 65_536;

/**
 * Reads a judge's reply: one JSON object and nothing else, a code fence around it at most. Numbers in prose are
 * never read, nor one object among others: choosing among verdicts would mean inventing one.
 */
export function readVerdict(reply: string): JudgeVerdict {
  if (Buffer.byteLength(reply) > maxReplyBytes)
    return { ok: false, problem: `the reply is longer than ${maxReplyBytes} bytes` };
  const text = reply.trim();
  if (text === "") return { ok: false, problem: "the reply is empty" };
  const parsed = parseStrictJson(fence.exec(text)?.[1] ?? text);
  if (!parsed.ok)
    return { ok: false, problem: `the reply is not one JSON object: ${shortenWords(text, 200)}` };
  const problem = problemWith(parsed.value);
  if (problem !== null) return { ok: false, problem: `${problem}: ${shortenWords(text, 200)}` };
  const { score, reason } = parsed.value as { score: number; reason?: string | null };
  return {
    ok: true,
    score,
    reason: typeof reason === "string" ? shortenWords(reason, maxReasonChars) : null,
  };
}

function problemWith(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "the reply is not a JSON object";
  const { score, reason, ...rest } = value as Record<string, unknown>;
  if (typeof score !== "number") return "the score is not a number";
  if (!(score >= 0 && score <= 1)) return "the score is outside 0..1";
  if (reason !== undefined && reason !== null && typeof reason !== "string")
    return "the reason is not a string";
  const [extra] = Object.keys(rest);
  return extra === undefined ? null : `the reply has an unexpected member (${JSON.stringify(extra)})`;
}
