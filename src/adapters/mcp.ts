import type { Adapter, CallLimits, Outcome } from "../contract/outcome.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import type { McpLink, McpRoute } from "./mcp-link.ts";
import { McpSession } from "./mcp-session.ts";
import { ToolPin } from "./mcp-tools.ts";

export interface McpOptions<Link extends McpLink> {
  route: McpRoute<Link>;
  toolName: string;
  version: string;
  clock?: Clock;
}

/** Calls one tool of an MCP server: as many clients as there are calls at once, made when first needed. */
export function mcpAdapter<Link extends McpLink>({
  route,
  clock = systemClock,
  ...options
}: McpOptions<Link>): Adapter {
  const pin = new ToolPin();
  const idle: McpSession<Link>[] = [];
  const all = new Set<McpSession<Link>>();

  function open(): McpSession<Link> {
    const session = new McpSession({ ...options, route, pin, clock });
    all.add(session);
    return session;
  }

  /** A client whose server is still there, or null. */
  function takeIdle(): McpSession<Link> | null {
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) {
      if (!session.isOver) return session;
      all.delete(session);
    }
    return null;
  }

  /** At most one start: a server that always dies costs one process a call, and the call fails with its cause. */
  async function callOn(session: McpSession<Link>, input: JsonObject, limits: CallLimits): Promise<Outcome> {
    let isReusable = false;
    try {
      const outcome = await session.call(input, limits);
      isReusable = outcome.status !== "timed-out" && !session.isOver && !session.isForgotten;
      return outcome;
    } finally {
      if (isReusable) idle.push(session);
      else {
        await session.kill();
        all.delete(session);
      }
    }
  }

  async function call(input: Json, limits: CallLimits): Promise<Outcome> {
    limits.signal.throwIfAborted();
    if (!isMap(input)) return notCalled(input);
    const known = takeIdle();
    if (known === null) return callOn(open(), input, limits);
    const outcome = await callOn(known, input, limits);
    return known.isForgotten ? callOn(open(), input, limits) : outcome;
  }

  async function close(): Promise<void> {
    await Promise.all([...all].map((session) => session.close()));
    all.clear();
    await route[Symbol.asyncDispose]();
  }

  return { call, [Symbol.asyncDispose]: close };
}

/** The protocol cannot express such an input, so the server is not asked. */
function notCalled(input: Json): Outcome {
  const what = input === null ? "null" : Array.isArray(input) ? "a list" : `a ${typeof input}`;
  const message = `the tool was not called: MCP arguments must be an object, not ${what}`;
  return { status: "failed", cause: "rpc-error", message, isFinal: true, isReported: false, latencyMs: 0 };
}
