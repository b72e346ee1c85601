import type { ReplyCache } from "../contract/cache.ts";
import type { Model, ModelRequest } from "../contract/model.ts";
import { cached } from "./cached.ts";

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
