import { EventEmitter } from "node:events";
import type { Pool as UndiciPool } from "undici";
import request from "undici/lib/api/api-request.js";
import PoolClass from "undici/lib/dispatcher/pool.js";
import { templateNames } from "../../../contract/planbench-file.ts";
import { onAbort } from "../../../shared/async/abort.ts";
import type { Clock } from "../../../shared/async/clock.ts";
import type { Json } from "../../../shared/json/json.ts";
import { readBody } from "../../../shared/network/bounded-body.ts";
import { isRedirect, networkWords, redirectWords, statusWords } from "../../../shared/network/http.ts";
import { textOrBase64 } from "../../../shared/text/bytes-to-text.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import type { Generated, PlanSource } from "./plan-source.ts";
import { ServiceAnswer } from "./service-answer.ts";
import { SseReader } from "./sse-reader.ts";

interface SseServiceOptions {
  /** Absolute, http or https. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Json;
  /** Maximum number of samples in parallel. */
  concurrency: number;
  clock: Clock;
}

/** A service that makes plans and streams events; its connections stay open until it is disposed of. */
interface SseService extends AsyncDisposable {
  /** One request, which is one sample. */
  source(values: TemplateValues): PlanSource;
}

const maxBytes = 64 * 1024 * 1024;
const maxEventLength = 16 * 1024 * 1024;
const maxWordsLength = 4096;

export function openSseService({ url, headers, body, concurrency, clock }: SseServiceOptions): SseService {
  const { origin, pathname, search } = new URL(url);
  const pool: UndiciPool = new PoolClass(origin, {
    connections: concurrency,
    pipelining: 1,
    // The deadline of the sample covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
  });

  async function ask(values: TemplateValues, signal: AbortSignal): Promise<Generated> {
    const began = clock.monotonic();
    const answer = new ServiceAnswer();
    const failed = (message: string): Generated => ({
      status: "failed",
      cause: "provider-error",
      message,
      events: answer.events,
    });
    const stop = new EventEmitter();
    const callOff = onAbort(signal, () => stop.emit("abort"));
    try {
      signal.throwIfAborted();
      const response = await request.call(pool, {
        path: `${pathname}${search}`,
        method: "POST",
        headers: { ...headers, "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify(fillTemplate(body, values)),
        signal: stop,
      });
      const problem = await readAnswer(response, answer);
      if (problem !== null) return failed(problem);
      if (answer.failure !== null) return failed(answer.failure);
      const { final } = answer;
      if (final === null) return failed(`the stream ended without final_result${otherType(response)}`);
      const { output, ...service } = final;
      const ms = clock.monotonic() - began;
      return { status: "generated", output, ms, tokens: null, answeredBy: null, service };
    } catch (error) {
      signal.throwIfAborted();
      return failed(connectionWords(error));
    } finally {
      callOff();
    }
  }

  return {
    source: (values) => ({
      canRepair: false,
      generate: (_attempt, _repair, signal) => ask(values, signal),
    }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

type Response = Awaited<ReturnType<typeof request>>;

/** Reads events until the final one, or the end of the stream. Returns the problem, if any. */
async function readAnswer(
  { statusCode, headers, body }: Response,
  answer: ServiceAnswer,
): Promise<string | null> {
  if (isRedirect(statusCode)) {
    body.on("error", () => {}).destroy();
    return redirectWords(statusCode);
  }
  if (statusCode >= 400) {
    const text = await readBody(body, undefined, maxWordsLength);
    return statusWords(statusCode, text.kind === "whole" ? shownText(textOrBase64(text.bytes), 300) : "");
  }
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    body.on("error", () => {}).destroy();
    return `content-encoding ${shownText(String(encoding))} is not supported`;
  }
  const reader = new SseReader(maxEventLength, (lines) => answer.add(lines));
  const decoder = new TextDecoder();
  let bytes = 0;
  // Leaving the loop early lets go of the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const isShort = reader.take(decoder.decode(chunk, { stream: true }));
    if (answer.isOver) return null;
    if (!isShort) return `an event is longer than ${maxEventLength} characters`;
    if (bytes > maxBytes) return `the stream is longer than ${maxBytes} bytes`;
  }
  reader.take(decoder.decode());
  reader.end();
  return null;
}

/** What came instead of an event stream, if its content type says so. */
function otherType({ headers }: Pick<Response, "headers">): string {
  const type = String(headers["content-type"] ?? "");
  if (/^text\/event-stream\b/i.test(type)) return "";
  return type === "" ? "" : `: content-type is ${shownText(type)}, not text/event-stream`;
}

function connectionWords(error: unknown): string {
  const { code, name } = error as Error & { code?: string };
  if (code === undefined && name !== "HTTPParserError") throw error; // not a connection error but a bug
  return networkWords(error as Error);
}

/** What a template can name; a session is unique for every sample. */
type TemplateValues = Record<(typeof templateNames)[number], string>;

const named = new RegExp(`\\$\\{(${templateNames.join("|")})\\}`, "g");

/** Fills a template in one step, so that a placeholder inside a value stays text. */
export function fillTemplate(template: Json, values: TemplateValues): Json {
  if (typeof template === "string")
    return template.replace(named, (_, name: keyof TemplateValues) => values[name]);
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values));
  if (typeof template !== "object" || template === null) return template;
  // `fromEntries` treats `__proto__` as an ordinary name.
  return Object.fromEntries(
    Object.entries(template).map(([name, member]) => [name, fillTemplate(member, values)]),
  );
}
