import type { IncomingMessage, ServerResponse } from "node:http";
import { telemetryVersion } from "../../contract/telemetry.ts";
import { intakeLimits } from "../limits.ts";
import type { RequestHead } from "./asked.ts";
import { getEvents, getSummary } from "./get-events.ts";
import { intakePath, pagePath } from "./guard.ts";
import { postEvents } from "./post-events.ts";
import { eventParameters, summaryParameters, unknownParameter } from "./read-filter.ts";
import { jsonReply, type Reply, refusal } from "./reply.ts";
import type { Served } from "./served.ts";
import { getPage } from "./telemetry-page.ts";

/** A request that was admitted, and how it authenticated. */
export interface Admitted {
  head: RequestHead;
  request: IncomingMessage;
  response: ServerResponse;
  /** Set where the token was in the address: the cookie that replaces it. */
  newCookie: string | null;
}

interface Route {
  method: "GET" | "POST";
  parameters: readonly string[];
  answer(admitted: Admitted, served: Served): Reply | null | Promise<Reply | null>;
}

/** Everything there is. No route starts a process, and none makes a path of a request. */
const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    intakePath,
    {
      method: "POST",
      parameters: [],
      answer: ({ head, request, response }, served) => postEvents(head, served, request, response),
    },
  ],
  [
    "/telemetry/capabilities",
    { method: "GET", parameters: [], answer: (_, served) => getCapabilities(served) },
  ],
]);

/** Only with dev routes enabled. */
const devRoutes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    "/dev/telemetry/events",
    { method: "GET", parameters: eventParameters, answer: ({ head }, served) => getEvents(head, served) },
  ],
  [
    "/dev/telemetry/summary",
    {
      method: "GET",
      parameters: summaryParameters,
      answer: ({ head }, served) => getSummary(head, served),
    },
  ],
  [
    pagePath,
    {
      method: "GET",
      parameters: ["token"],
      answer: ({ newCookie }, { page }) => page && getPage(page, newCookie),
    },
  ],
]);

/** Answers an admitted request; null where the client has left. */
export async function answer(admitted: Admitted, served: Served): Promise<Reply | null> {
  const { method, path, parameters } = admitted.head;
  const route = routes.get(path) ?? (served.page === null ? undefined : devRoutes.get(path));
  if (route === undefined) return refusal(404, "not-found", "not found");
  const allowed = route.method === "GET" ? ["GET", "HEAD"] : [route.method];
  if (!allowed.includes(method))
    return refusal(405, "method-refused", `method not allowed; use ${allowed.join(" or ")}`, {
      Allow: allowed.join(", "),
    });
  const problem = unknownParameter(parameters, route.parameters);
  if (problem !== null) return refusal(400, "parameter-unknown", problem);
  return await route.answer(admitted, served);
}

/** `GET /telemetry/capabilities`: what a sender may count on. No paths. */
function getCapabilities({ file, mode, retentionDays }: Served): Reply {
  return jsonReply(200, {
    enabled: file !== null,
    mode,
    retention_days: retentionDays,
    schema_version: telemetryVersion,
    limits: {
      body_bytes: intakeLimits.bodyBytes,
      events_per_post: intakeLimits.events,
      event_bytes: intakeLimits.eventBytes,
      event_depth: intakeLimits.depth,
    },
  });
}
