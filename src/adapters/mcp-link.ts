import {
  type JSONRPCNotification,
  ProtocolError,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Evidence, Outcome } from "../contract/outcome.ts";
import { shorten } from "../shared/text/visible-text.ts";

type Untimed<Kind> = Kind extends unknown ? Omit<Kind, "latencyMs"> : never;

/** What went wrong on the way to a server, before anybody knows how long the call took. */
export type LinkFault = Untimed<Extract<Outcome, { status: "failed" | "invalid" }>>;

/** One connection to an MCP server: the SDK speaks over its transport, and faults are recorded with our own messages. */
export interface McpLink {
  readonly transport: Transport;
  /** The fault of the current call, as far as the connection saw it. */
  readonly fault: LinkFault | null;
  /** Nothing more can come over this connection. */
  readonly isOver: boolean;
  /** Begins a call: resets the output cap and earlier faults. */
  beginCall(): void;
  /** The call has its answer: from here on silence is not a fault. */
  endCall(): void;
  /** Cancels the request that was sent last. */
  cancelCall(): void;
  /** Called with whatever the SDK could not interpret. */
  onError(error: Error): void;
  /** Hands out what was seen besides answers since the last time. */
  takeEvidence(): Pick<Evidence, "stray" | "stderrTail" | "warnings" | "network">;
  /** Ends it now, with everything that belongs to it. */
  kill(): Promise<void>;
  /** Ends it in good order. */
  close(): Promise<void>;
}

/** How connections to one server are made. */
export interface McpRoute<Link extends McpLink> extends AsyncDisposable {
  open(): Link;
  /** Another kind of connection if the server refused this one; else null. */
  instead(refused: Link): Link | null;
  /** This connection works: the next one is made the same way. */
  keep(link: Link): void;
  /** The server has forgotten the session behind this connection, so the call never reached the tool. */
  isForgotten(link: Link): boolean;
}

/** The cancellation of a request. Made here: the SDK would need an abort signal for every call, which is expensive. */
export function cancellation(requestId: RequestId): JSONRPCNotification {
  const params = { requestId, reason: "the call passed its deadline or was interrupted" };
  return { jsonrpc: "2.0", method: "notifications/cancelled", params };
}

const messageChars = 4096;

/** The fault behind what the SDK threw. Anything that is not a fault of a server is thrown again. */
export function faultOfError(error: unknown): LinkFault {
  if (error instanceof ProtocolError) {
    const message = `${shorten(error.message, messageChars)} (code ${error.code})`;
    return { status: "failed", cause: "rpc-error", message, statusCode: error.code };
  }
  if (error instanceof TypeError || error instanceof RangeError) throw error; // a mistake of our own
  return badResponse((error as Error).message);
}

/** A server that does not have the tool, with the tools it has. */
export function toolMissing(toolName: string, known: Iterable<string>): LinkFault {
  const names = [...known].sort();
  const list = names.length === 0 ? "it has no tools" : `it has ${names.join(", ")}`;
  const message = shorten(`the server has no tool ${toolName}; ${list}`, 1000);
  return { status: "failed", cause: "tool-missing", message };
}

/** An answer that broke what the tool itself promised. */
export function brokenPromise(problems: readonly string[]): LinkFault {
  return badResponse(`the answer does not match the tool's outputSchema: ${problems.join("; ")}`);
}

function badResponse(message: string): LinkFault {
  return { status: "failed", cause: "bad-response", message: shorten(message, messageChars) };
}
