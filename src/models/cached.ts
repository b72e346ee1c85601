import type { ReplyCache } from "../contract/cache.ts";
import type { Model, ModelReply, ModelRequest } from "../contract/model.ts";
import { requestHash } from "./cassette.ts";

interface CachedOptions {
  replies: ReplyCache;
  /** Whether stored replies are used; a recording needs each one from the model. */
  isRead: boolean;
  /** Takes secrets out of a text: a reply that holds one is not stored. */
  redact: (text: string) => string;
}

/** A model that is not asked the same thing twice. Failures are not stored, nor replies to a question with a nonce. */
export function cached(model: Model, { replies, isRead, redact }: CachedOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      if (request.nonce !== undefined) return model.call(request, call);
      call.signal.throwIfAborted();
      const key = requestHash({ identity: model.identity }, request);
      const stored = isRead ? replies.reply(key) : null;
      if (stored !== null) {
        if (stored.text !== "") call.onText?.(stored.text);
        return { status: "answered", ...stored, isCached: true };
      }
      const outcome = await model.call(request, call);
      if (outcome.status === "answered" && redact(outcome.text) === outcome.text) {
        replies.keepReply(key, model.id, replyIn(outcome));
      }
      return outcome;
    },
  };
}

function replyIn({ text, finishReason, usage, latencyMs }: ModelReply): ModelReply {
  return { text, finishReason, usage, latencyMs };
}

/** A model that is never called: it collects the requests that no earlier run has answered. */
export function gathering(model: Model, requests: ModelRequest[], replies: ReplyCache | null): Model {
  const silent: Model = {
    id: model.id,
    identity: model.identity,
    async call(request) {
      requests.push(request);
      return {
        status: "failed",
        fault: "budget",
        message: "models are not called in a dry run",
        latencyMs: 0,
      };
    },
  };
  return replies === null ? silent : cached(silent, { replies, isRead: true, redact: (text) => text });
}
