import { modelFaultWords } from "../../../agent-runtime/decide/model-bridge.ts";
import type { ConversationTurn } from "../../../contract/conversation-case.ts";
import type { Speaker, SpokenReply } from "../../../contract/conversation-parts.ts";
import type { Model } from "../../../contract/model.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";
import type { Json } from "../../../shared/json/json.ts";
import { jsonPath } from "../../../shared/json/locations.ts";
import { type Quote, quotesIn, valueAtSteps } from "../../../shared/json/read-json-path.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";

interface ModelSpeakerOptions {
  /** Which repetition of the case this is, so that recordings distinguish them. */
  trial: number;
  temperature: number;
  maxOutputTokens?: number | undefined;
  clock?: Clock | undefined;
}

/** A model that takes part in a conversation. */
export function modelSpeaker(
  model: Model,
  { trial, temperature, maxOutputTokens, clock = systemClock }: ModelSpeakerOptions,
): Speaker {
  let answered = 0;
  return {
    id: model.id,
    async reply(messages, { signal }) {
      const ordinal = answered + 1;
      const began = clock.monotonic();
      const sinceBegin = () => Math.round(clock.monotonic() - began);
      let firstTokenMs: number | null = null;
      const onText = () => {
        firstTokenMs ??= sinceBegin();
      };
      const request = { messages, temperature, maxOutputTokens, trial, ordinal };
      const outcome = await model.call(request, { signal, onText });
      const ms = sinceBegin();
      if (outcome.status === "failed") {
        const fault = outcome.fault === "not-recorded" ? "cassette-miss" : "model-failed";
        return { status: "failed", fault, message: modelFaultWords(outcome, ordinal), ms };
      }
      answered++;
      const { text, usage, isCached, answeredBy } = outcome;
      // A cached reply arrives at once, which says nothing about the model.
      return {
        status: "answered",
        text,
        ms,
        firstTokenMs: isCached ? null : firstTokenMs,
        usage,
        answeredBy,
      };
    },
    unused: () => null,
  };
}

/** Replies from a script, one entry per turn. */
export function scriptSpeaker({ turns }: { turns: readonly ConversationTurn[] }): Speaker {
  let used = 0;
  return {
    id: "mock",
    async reply(_messages, { results, signal }) {
      signal.throwIfAborted();
      const turn = turns[used];
      if (turn === undefined)
        return failed("mock-exhausted", `the script is used up: it has ${pluralize(turns.length, "turn")}`);
      used++;
      const reply = scriptedReply(turn, results);
      if (!reply.ok) return failed("mock-invalid", `turn ${used} of the script ${reply.problem}`);
      return { status: "answered", text: reply.text, ms: 0, firstTokenMs: null, usage: null };
    },
    unused: () => turns.length - used,
  };
}

function failed(fault: "mock-exhausted" | "mock-invalid", message: string): SpokenReply {
  return { status: "failed", fault, message, ms: 0 };
}

type ScriptedReply = { ok: true; text: string } | { ok: false; problem: string };

function scriptedReply({ call, final, raw }: ConversationTurn, results: readonly Json[]): ScriptedReply {
  if (call !== undefined)
    return { ok: true, text: JSON.stringify({ name: call.name, arguments: call.arguments }) };
  return final === undefined ? { ok: true, text: raw ?? "" } : filledIn(final, results);
}

/** Replaces quotes by results. The text of a result is not searched for quotes again. */
function filledIn(text: string, results: readonly Json[]): ScriptedReply {
  const found = quotesIn(text);
  if (!found.ok) return found;
  let filled = "";
  let end = 0;
  for (const quote of found.quotes) {
    const value = valueAtSteps(results, quote.steps) as Json | undefined;
    if (value === undefined) return { ok: false, problem: missing(text, quote, results) };
    filled += text.slice(end, quote.from) + (typeof value === "string" ? value : JSON.stringify(value));
    end = quote.to;
  }
  return { ok: true, text: filled + text.slice(end) };
}

function missing(text: string, { from, to, steps: [index] }: Quote, results: readonly Json[]): string {
  const quoted = `quotes ${shownText(text.slice(from, to))}`;
  if (index >= results.length)
    return `${quoted}, but there are only ${pluralize(results.length, "result")} by then`;
  const result = results[index];
  if (result === null) return `${quoted}, but call ${index + 1} has no result`;
  const keys = Object.keys(result as object).map((key) => jsonPath([key]).slice(1));
  return `${quoted}, but result ${index} has no such member; it has ${shownText(keys.join(" ") || "none", 200)}`;
}
