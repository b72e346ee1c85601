import { Agent } from "undici";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { HttpLink } from "./mcp-http-link.ts";
import type { McpRoute } from "./mcp-link.ts";

export interface HttpRouteOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Null: Streamable HTTP, and HTTP+SSE where the server refuses that. */
  transport: "http" | "sse" | null;
  maxOutputBytes: number;
  clock?: Clock;
}

/** Refusals that say something about us or the moment, not about the protocol the server speaks. */
const notAboutProtocol = new Set([401, 403, 408, 429]);

/** Connections to a remote server, over sockets that are ours to close. */
export function httpRoute({
  transport,
  clock = systemClock,
  ...server
}: HttpRouteOptions): McpRoute<HttpLink> {
  // One deadline over everything is kept by the caller; these would be a second one.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 });
  let kind = transport ?? "http";
  const link = (chosen: "http" | "sse") =>
    new HttpLink({ ...server, kind: chosen, agent, now: () => clock.now() });
  return {
    open: () => link(kind),
    instead({ kind: tried, refusedStatus }) {
      const mayFallBack = transport === null && tried === "http" && refusedStatus !== null;
      const isOtherProtocol = mayFallBack && refusedStatus < 500 && !notAboutProtocol.has(refusedStatus);
      return isOtherProtocol ? link("sse") : null;
    },
    keep: (works) => {
      kind = works.kind;
    },
    isForgotten: ({ kind: tried, refusedStatus, transport: way }) =>
      tried === "http" && refusedStatus === 404 && way.sessionId !== undefined,
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
