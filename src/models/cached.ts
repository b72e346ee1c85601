import type { ReplyCache } from "../contract/cache.ts";
import type { Model, ModelReply, ModelRequest } from "../contract/model.ts";
import { requestHash } from "./cassette.ts";

interface CachedOptions {
  replies: ReplyCache;
  /** Whether kept replies are used; a recording wants to hear each one from the model. */
  isRead: boolean;
  /** Takes secrets out of a text: a reply that holds one is not kept. */
  redact: (text: string) => string;
}

/** A model that is not asked the same thing twice. Failures are not kept, nor replies to a question with a random word in it. */
export function cached(model: Model, { replies, isRead, redact }: CachedOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      if (request.nonce !== undefined) return model.call(request, call);
      call.signal.throwIfAborted();
      const key = requestHash({ identity: model.identity }, request);
      const kept = isRead ? replies.reply(key) : null;
      if (kept !== null) {
        if (kept.text !== "") call.onText?.(kept.text);
        return { status: "answered", ...kept, isCached: true };
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

/** A model that is never asked: what would be asked is gathered, but for what was answered in an earlier run. */
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
