import type { IncomingMessage, ServerResponse } from "node:http";
import { patiently } from "../../shared/async/patiently.ts";
import { readPost } from "../intake/read-event.ts";
import type { WithoutId } from "../intake/received-ids.ts";
import type { RequestHead } from "./asked.ts";
import { readJsonBody, refusedBody } from "./read-json-body.ts";
import { jsonReply, type Reply, refusal } from "./reply.ts";
import type { Served } from "./served.ts";

const patienceMs = 5000;

/** `POST /telemetry/events`. Null where the client has left. */
export async function postEvents(
  head: RequestHead,
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply | null> {
  const refused = refusedBody(head);
  if (refused !== null) return refused;
  const left = new AbortController();
  response.once("close", () => left.abort());
  // Until there is a slot, the body is not read.
  const slot = await served.posts.enter(left.signal).catch(() => undefined);
  if (slot === undefined) return null;
  if (slot === null)
    return refusal(429, "too-many-posts", "too many requests at once; try again", {
      "Retry-After": "1",
    });
  using _ = slot;
  const body = await readJsonBody(request, response);
  if (body === null || "reply" in body) return body?.reply ?? null;
  return await keepPost(body.document, served);
}

async function keepPost(document: unknown, { file, clock, ids, turns }: Served): Promise<Reply> {
  const now = clock.now();
  const receivedAt = now / 1000;
  const receipt = { receivedAt, idOf: (event: WithoutId) => ids.idOf(event, now) };
  const post = await turns.take(() => readPost(document, receipt));
  if (post.kind !== "read")
    return post.kind === "too-many"
      ? refusal(413, "too-many-events", post.problem)
      : refusal(400, "post-invalid", post.problem);
  const { events, rejected } = post;
  if (file === null) return jsonReply(200, { accepted: 0, duplicates: 0, rejected, enabled: false });
  // A run may be writing: it must never wait, so we do.
  const keep = () => turns.take(() => file.add(events, receivedAt));
  const { accepted, duplicates } = await patiently(keep, patienceMs);
  return jsonReply(200, { accepted, duplicates, rejected, enabled: true });
}
