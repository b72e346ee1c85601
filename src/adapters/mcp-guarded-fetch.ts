import { isUtf8 } from "node:buffer";
import { type Agent, fetch, type RequestInit, type Response, Response as UndiciResponse } from "undici";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { isRedirect, networkWords, redirectWords } from "../shared/network/http.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { floodMessage } from "./answers.ts";
import type { LinkFault } from "./mcp-link.ts";
import { excerptChars, refusedStatus } from "./refused-status.ts";

export interface FetchGuard {
  /** The only origin that may be requested, and the only one that gets the credentials. */
  origin: string;
  agent: Agent;
  /** Maximum bytes of one call, over all its bodies, after decompression. */
  capBytes: number;
  now: () => number;
  /** Whether a refusal of this kind of request fails the call; an optional stream may be refused. */
  mayRefuse(method: string): boolean;
  /** Called when something went wrong. `isFatal`: the connection cannot be used for another call. */
  onFault(fault: LinkFault, isFatal: boolean): void;
  /** Called when a stream of events opens; the function it returns is called when the stream has ended and cannot be resumed. */
  onStream(method: string): () => void;
}

/** The `fetch` of the SDK: no redirects, no other origins, no endless bodies; failures are reported with our own messages. */
export class GuardedFetch {
  readonly #guard: FetchGuard;
  #bytesSeen = 0;
  /** The status of the last refusal that failed a call. */
  refusedStatus: number | null = null;

  constructor(guard: FetchGuard) {
    this.#guard = guard;
  }

  beginCall(): void {
    this.#bytesSeen = 0;
    this.refusedStatus = null;
  }

  readonly fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(address);
    const method = (init.method ?? "GET").toUpperCase();
    if (url.origin !== this.#guard.origin)
      throw this.#fail("redirect-refused", `${url.origin} is not the configured server`);
    const response = await this.#ask(url, init);
    if (isRedirect(response.status)) {
      await response.body?.cancel();
      throw this.#fail("redirect-refused", redirectWords(response.status));
    }
    if (!response.ok) return this.#refused(response, method);
    if (response.body === null) return response;
    const type = response.headers.get("content-type") ?? "";
    if (/^application\/json\b/i.test(type)) return this.#json(response);
    const onEnd = /^text\/event-stream\b/i.test(type) ? this.#guard.onStream(method) : undefined;
    return like(response, this.#counted(response.body, onEnd));
  };

  async #ask(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { ...init, redirect: "manual", dispatcher: this.#guard.agent });
    } catch (error) {
      if (!init.signal?.aborted) this.#fail("connection", describeCause(error as Error));
      throw error;
    }
  }

  async #refused(response: Response, method: string): Promise<Response> {
    const bytes = await this.#whole(response);
    if (!this.#guard.mayRefuse(method)) {
      const { status, headers } = response;
      this.refusedStatus = status;
      const retryAfter = headers.get("retry-after") ?? undefined;
      const fault = refusedStatus(status, bytes.toString("utf8"), retryAfter, this.#guard.now());
      this.#guard.onFault(fault, false);
    }
    return like(response, bytes);
  }

  /** A whole answer in one body is read as strictly as anywhere else. */
  async #json(response: Response): Promise<Response> {
    const bytes = await this.#whole(response);
    if (bytes.length === 0) return like(response, bytes);
    if (!isUtf8(bytes)) throw this.#fail("bad-response", "the body is not UTF-8");
    const text = bytes.toString("utf8");
    const parsed = parseStrictJson(text);
    if (!parsed.ok) {
      const message = `the body is not valid JSON (${parsed.problem}): ${shorten(text, excerptChars)}`;
      throw this.#fail("bad-response", message);
    }
    return like(response, bytes);
  }

  async #whole(response: Response): Promise<Buffer> {
    if (response.body === null) return Buffer.alloc(0);
    try {
      return Buffer.from(await like(response, this.#counted(response.body)).arrayBuffer());
    } catch (error) {
      this.#fail("connection", describeCause(error as Error)); // ignored if a more specific fault was reported before
      throw error;
    }
  }

  /** Passes bytes on and counts them. A stream of events without ids cannot be resumed, so its end is reported. */
  #counted(body: AsyncIterable<Uint8Array>, onEnd?: () => void): ReadableStream<Uint8Array> {
    return ReadableStream.from(this.#count(body, onEnd));
  }

  async *#count(body: AsyncIterable<Uint8Array>, onEnd?: () => void): AsyncGenerator<Uint8Array> {
    let rest = "";
    let hasId = false;
    try {
      for await (const chunk of body) {
        this.#bytesSeen += chunk.length;
        if (this.#bytesSeen > this.#guard.capBytes) throw this.#flood();
        if (onEnd !== undefined && !hasId) {
          const text = rest + Buffer.from(chunk).toString("latin1");
          hasId = /(?:^|[\r\n])id:/.test(text);
          rest = text.slice(-4);
        }
        yield chunk;
      }
    } finally {
      if (!hasId) onEnd?.();
    }
  }

  #flood(): Error {
    const bytesSeen = this.#bytesSeen;
    const message = floodMessage(bytesSeen);
    this.#guard.onFault({ status: "failed", cause: "output-limit", message, bytesSeen }, true);
    return new Error(message);
  }

  #fail(cause: "redirect-refused" | "connection" | "bad-response", message: string): Error {
    this.#guard.onFault({ status: "failed", cause, message }, true);
    return new Error(message);
  }
}

/** The same response with another body. */
function like(
  { status, statusText, headers }: Response,
  body: Buffer | ReadableStream<Uint8Array> | null,
): Response {
  return new UndiciResponse(body, { status, statusText, headers });
}

/** `fetch failed` says nothing; what it wraps does. */
function describeCause(error: Error): string {
  return networkWords(error.cause instanceof Error ? error.cause : error);
}
