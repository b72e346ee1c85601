import { Readable } from "node:stream";
import type { Pool } from "undici";
import request from "undici/lib/api/api-request.js";
import type { Clock } from "../shared/async/clock.ts";
import { readRetryAfter } from "../shared/network/http.ts";
import { networkFault, ProviderError, type ProviderFault, statusFault } from "./provider-fault.ts";

export type ReplyForm = "json" | "event-stream";

/** A reply in the other form than requested: not every server that accepts streaming streams. */
export class OtherForm extends Error {
  override readonly name = "OtherForm";
  readonly body: string;

  constructor(body: string) {
    super("the reply has an unexpected content type");
    this.body = body;
  }
}

/** One request to a provider, and its transport faults. */
export interface ProviderExchange {
  fetch: typeof globalThis.fetch;
  fault(): ProviderFault | null;
  /** Whether a successful answer began. */
  isAnswered(): boolean;
}

export interface ExchangeOptions {
  pool: Pool;
  origin: string;
  /** Without a key the authorization headers of the library are dropped. */
  hasKey: boolean;
  form: ReplyForm;
  clock: Clock;
}

/** Opens one exchange. Its `fetch` reaches one origin only, follows no redirect, and reads no more than it must. */
export function openExchange({ pool, origin, hasKey, form, clock }: ExchangeOptions): ProviderExchange {
  let fault: ProviderFault | null = null;
  let isAnswered = false;

  function fail(what: ProviderFault): never {
    fault = what;
    throw new ProviderError(what);
  }

  async function* noted(body: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > limitBytes)
          fail({ fault: "bad-reply", message: `the reply is longer than ${limitBytes} bytes` });
        yield chunk;
      }
    } catch (error) {
      fault ??= networkFault(error as Error);
      throw error;
    }
  }

  async function send(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address);
    if (url.origin !== origin)
      throw new Error(`refused a request to ${url.origin}: only ${origin} is allowed`);
    const response = await request
      .call(pool, {
        path: `${url.pathname}${url.search}`,
        method: "POST",
        headers: buildHeaders(init, hasKey),
        body: init.body as string,
        signal: init.signal ?? null,
      })
      .catch((error) => fail(networkFault(error)));
    const { statusCode, headers } = response;
    const type = String(headers["content-type"] ?? "");
    if (statusCode < 200 || statusCode >= 300) {
      const body = await readExcerpt(noted(response.body, longestReplyBytes));
      const retryAfter = headers["retry-after"];
      fail(
        statusFault(
          statusCode,
          body,
          readRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, clock.now()),
        ),
      );
    }
    isAnswered = true;
    const body = noted(response.body, longestReplyBytes);
    if (isOtherForm(type, form)) throw new OtherForm(await readText(body));
    const stream = Readable.toWeb(Readable.from(body)) as ReadableStream<Uint8Array>;
    // Its status is left out: a `Response` of some successes may have no body.
    return new Response(stream, { headers: { "content-type": type } });
  }

  return {
    fetch: (address, init) => send(String(address), init ?? {}),
    fault: () => fault,
    isAnswered: () => isAnswered,
  };
}

/** A `fetch` that returns this body, as if it had come in the requested form. */
export function fetchReturning(body: string, form: ReplyForm): typeof globalThis.fetch {
  const type = form === "json" ? "application/json" : "text/event-stream";
  return async () => new Response(body, { headers: { "content-type": type } });
}

const longestReplyBytes = 16 * 1024 * 1024;
const excerptChars = 300;

function buildHeaders({ headers }: RequestInit, hasKey: boolean): Record<string, string> {
  const sent = Object.fromEntries(new Headers(headers).entries());
  if (!hasKey) for (const name of ["authorization", "x-api-key", "x-goog-api-key"]) delete sent[name];
  return { ...sent, "accept-encoding": "identity" };
}

function isOtherForm(type: string, form: ReplyForm): boolean {
  return form === "json" ? type.startsWith("text/event-stream") : type.startsWith("application/json");
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The beginning of an error's body; the rest of an HTML page adds nothing. */
async function readExcerpt(body: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of body) {
    text += chunk.toString("utf8");
    if (text.length > 16 * excerptChars) break;
  }
  return text;
}
