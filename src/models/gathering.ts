import type { Model, ModelRequest } from "../contract/model.ts";
import type { ReplyShelf } from "../contract/shelf.ts";
import { cached } from "./cached.ts";

/** A model that is never asked: what would be asked is gathered, but for what was answered in an earlier run. */
export function gathering(model: Model, requests: ModelRequest[], replies: ReplyShelf | null): Model {
  const silent: Model = {
    id: model.id,
    identity: model.identity,
    async call(request) {
      requests.push(request);
      return { status: "failed", fault: "budget", message: "nobody is asked in a dry run", latencyMs: 0 };
    },
  };
  return replies === null ? silent : cached(silent, { replies, isRead: true, redact: (text) => text });
}
