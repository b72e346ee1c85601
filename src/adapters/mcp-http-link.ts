import {
  type RequestId,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { Agent } from "undici";
import { withinMs } from "../shared/async/abort.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { GuardedFetch } from "./mcp-guarded-fetch.ts";
import { cancellation, type LinkFault, type McpLink, type McpRoute } from "./mcp-link.ts";

export interface HttpLinkOptions {
  kind: "http" | "sse";
  url: URL;
  headers: Readonly<Record<string, string>>;
  agent: Agent;
  maxOutputBytes: number;
  now: () => number;
}

/** How long a server may take to accept a cancellation or the end of the session. */
const cancelMs = 250;
const goodbyeMs = 1000;
/** When a stream ends, its last message is still on its way through the SDK. */
const lastMessageMs = 200;

/** A remote server: Streamable HTTP, or HTTP+SSE as it was before. */
export class HttpLink implements McpLink {
  readonly kind: "http" | "sse";
  readonly transport: Transport;
  fault: LinkFault | null = null;
  isOver = false;
  readonly #guarded: GuardedFetch;
  #isBusy = false;
  /** The pending cancellation message. */
  #cancelling: Promise<unknown> = Promise.resolve();
  #lastRequest: RequestId = -1;
  /** The request whose answer has not come. */
  #awaited: RequestId | null = null;

  constructor({ kind, url, headers, agent, maxOutputBytes, now }: HttpLinkOptions) {
    this.kind = kind;
    this.#guarded = new GuardedFetch({
      origin: url.origin,
      agent,
      capBytes: maxOutputBytes,
      now,
      mayRefuse: (method) => method !== "POST" && kind === "http",
      onFault: (fault, isFatal) => this.#note(fault, isFatal),
      onStream: (method) => this.#streamOpened(method),
    });
    // The same interface, declared by two packages.
    const fetch = this.#guarded.fetch as typeof globalThis.fetch;
    const options = { requestInit: { headers: { ...headers } }, fetch };
    this.transport =
      kind === "sse"
        ? new SSEClientTransport(url, options)
        : new StreamableHTTPClientTransport(url, { ...options, reconnectionScheduler: reconnectLater });
    const send = this.transport.send.bind(this.transport);
    this.transport.send = (message, sendOptions) => {
      if ("id" in message && "method" in message) this.#awaited = this.#lastRequest = message.id;
      return send(message, sendOptions);
    };
    this.transport.onmessage = (message) => {
      if ("id" in message && !("method" in message)) this.#awaited = null;
    };
  }

  /** The status with which the server refused the handshake, if it did. */
  get refusedStatus(): number | null {
    return this.#guarded.refusedStatus;
  }

  beginCall(): void {
    this.#guarded.beginCall();
    this.#isBusy = true;
    if (!this.isOver) this.fault = null;
  }

  endCall(): void {
    this.#isBusy = false;
  }

  cancelCall(): void {
    if (!this.isOver) this.#cancelling = this.transport.send(cancellation(this.#lastRequest)).catch(() => {});
  }

  onError(error: Error): void {
    if (error.message.startsWith("Maximum reconnection attempts")) this.#streamLost();
    if (!this.#isBusy || !(error.name === "ZodError" || error instanceof SyntaxError)) return;
    const message = `cannot read a message from the server: ${shorten(error.message, 500)}`;
    this.#note({ status: "failed", cause: "bad-response", message }, true);
  }

  takeEvidence(): Record<string, never> {
    return {};
  }

  async kill(): Promise<void> {
    this.isOver = true;
    await withinMs(this.#cancelling, cancelMs);
    await this.transport.close();
  }

  async close(): Promise<void> {
    if (this.transport instanceof StreamableHTTPClientTransport && !this.isOver)
      await withinMs(
        this.transport.terminateSession().catch(() => {}),
        goodbyeMs,
      );
    await this.kill();
  }

  #note(fault: LinkFault, isFatal: boolean): void {
    if (this.isOver) return;
    this.fault ??= fault;
    if (!isFatal) return;
    this.isOver = true;
    void this.transport.close(); // rejects the pending request
  }

  /** After a POST the answer has to be on this very stream; the old protocol has one stream for everything. */
  #streamOpened(method: string): () => void {
    if (this.kind === "sse") return () => this.#afterLastMessage(() => true);
    const request = this.#awaited;
    if (method !== "POST" || request === null) return () => {};
    return () => this.#afterLastMessage(() => this.#awaited === request);
  }

  #afterLastMessage(isLost: () => boolean): void {
    setTimeout(() => isLost() && this.#streamLost(), lastMessageMs).unref();
  }

  #streamLost(): void {
    const message = "the server ended the stream without an answer";
    this.#note({ status: "failed", cause: "connection", message }, true);
  }
}

/** A stream is resumed later, but does not keep the process alive. */
function reconnectLater(reconnect: () => void, delayMs: number): () => void {
  const timer = setTimeout(reconnect, delayMs).unref();
  return () => clearTimeout(timer);
}

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
  // The caller enforces one deadline over everything; these would be a second one.
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
