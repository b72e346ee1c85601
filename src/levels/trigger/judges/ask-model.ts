import { hash } from "node:crypto";
import type { JudgeAnswer, JudgeFault, UnusableReply } from "../../../contract/judge.ts";
import type { Model, ModelFault, ModelOutcome, ModelReply } from "../../../contract/model.ts";

/** How a judge asks its model. */
export interface Asking {
  model: Model;
  /** How often to ask again after an invalid reply. */
  reask: 0 | 1 | 2;
  timeoutMs: number;
}

/** What a reply says, or why it is not a verdict. */
export type Reading =
  | { ok: true; outcome: "yes" | "no"; reason: string; chosen?: string | null }
  | { ok: false; why: string; lenientDecision: "yes" | "no" | null };

/** The same for every question: what may change answers is part of a judge's identity. */
export const parameters = { temperature: 0, maxOutputTokens: 120 } as const;

/** Sends one prompt to a model and reads its reply. After an unusable one it is sent again unchanged, up to `reask` times. */
export async function askModel(
  { prompt, repeat }: { prompt: string; repeat: number },
  read: (reply: string) => Reading,
  { model, reask, timeoutMs }: Asking,
  signal: AbortSignal,
): Promise<JudgeAnswer> {
  signal.throwIfAborted();
  const messages = [{ role: "user", text: prompt }] as const;
  const calls: ModelOutcome[] = [];
  const unusable: UnusableReply[] = [];
  for (let ordinal = 1; ; ordinal++) {
    const request = { messages, ...parameters, trial: repeat, ordinal, timeoutMs };
    const call = await model.call(request, { signal });
    calls.push(call);
    const effort = { ...sumEffort(calls), ...(unusable.length > 0 && { reasked: unusable }) };
    if (call.status === "failed")
      return { outcome: "error", code: judgeFaults[call.fault], message: call.message, ...effort };
    const reading = read(call.text);
    const rawSha256 = hash("sha256", call.text, "hex");
    if (reading.ok) {
      const { outcome, reason, chosen } = reading;
      return { outcome, reason, ...(chosen !== undefined && { chosen }), rawSha256, ...effort };
    }
    const why = `${reading.why}${endWords[call.finishReason]}`;
    const reply = { why, raw: beginning(call.text), rawSha256, lenientDecision: reading.lenientDecision };
    if (ordinal > reask) return { outcome: "invalid", ...reply, ...effort };
    unusable.push(reply);
  }
}

const judgeFaults: Readonly<Record<ModelFault, JudgeFault>> = {
  timeout: "timeout",
  "rate-limited": "quota",
  unavailable: "transport",
  "bad-reply": "transport",
  refused: "refused",
  "not-recorded": "not-recorded",
  budget: "budget",
};

const endWords: Readonly<Record<ModelReply["finishReason"], string>> = {
  stop: "",
  other: "",
  length: `; it was cut off at ${parameters.maxOutputTokens} tokens`,
  "content-filter": "; the provider's filter ended it",
};

const maxStoredCharacters = 500;

function beginning(text: string): string {
  return Array.from(text.slice(0, 2 * maxStoredCharacters))
    .slice(0, maxStoredCharacters)
    .join("");
}

/** The total effort of these calls. Cached replies are counted only if there are no others. */
function sumEffort(calls: readonly ModelOutcome[]) {
  const isCached = (call: ModelOutcome) => call.status === "answered" && call.isCached === true;
  const cached = calls.every(isCached);
  const counted = cached ? calls : calls.filter((call) => !isCached(call));
  const usages = counted.map((call) => (call.status === "answered" ? call.usage : null));
  return {
    ms: Math.round(sum(counted.map(({ latencyMs }) => latencyMs ?? 0)) * 1000) / 1000,
    tokensIn: sumKnown(usages.map((usage) => usage?.promptTokens)),
    tokensOut: sumKnown(usages.map((usage) => usage?.completionTokens)),
    usd: sumKnown(usages.map((usage) => usage?.costUsd)),
    cached,
  };
}

/** A sum with an unknown part is unknown. */
function sumKnown(numbers: readonly (number | null | undefined)[]): number | null {
  const known = numbers.filter((number) => number !== null && number !== undefined);
  return known.length === numbers.length ? sum(known) : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
