import type { Transport } from "@modelcontextprotocol/client";
import type { Evidence, Outcome } from "../contract/outcome.ts";

type Untimed<Kind> = Kind extends unknown ? Omit<Kind, "latencyMs"> : never;

/** What went wrong on the way to a server, before anybody knows how long the call took. */
export type LinkFault = Untimed<Extract<Outcome, { status: "failed" | "invalid" }>>;

/** One connection to an MCP server: the SDK speaks over its transport, and what breaks it is kept in our own words. */
export interface McpLink {
  readonly transport: Transport;
  /** What spoilt the call that is under way, as far as the connection saw it. */
  readonly fault: LinkFault | null;
  /** Nothing more can come over this connection. */
  readonly isOver: boolean;
  /** A call begins: it has the whole cap for its answer, and old troubles are forgotten. */
  beginCall(): void;
  /** The call has its answer: from here on silence is no fault. */
  endCall(): void;
  /** Tells the server that nobody waits for the request last sent. */
  cancelCall(): void;
  /** Told of what the SDK could not make sense of. */
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
  /** Another way, where the server refused to speak over this connection; else null. */
  instead(refused: Link): Link | null;
  /** This connection works: the next one is made the same way. */
  keep(link: Link): void;
  /** The server has forgotten the session behind this connection, so the call never reached the tool. */
  isForgotten(link: Link): boolean;
}
