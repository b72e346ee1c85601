import { modelFaultWords } from "../../../agent-runtime/decide/model-fault-words.ts";
import type { Speaker } from "../../../contract/conversation-parts.ts";
import type { Model } from "../../../contract/model.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";

export interface ModelSpeakerOptions {
  /** Which repetition of the case this is: recordings keep them apart. */
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
      // From a cache all of it comes at once: that is no time of the model.
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
