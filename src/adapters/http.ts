import { isUtf8 } from "node:buffer";
import type { Dispatcher, Pool as UndiciPool } from "undici";
// The package's main entry loads fetch, caches and mocks as well; this alone starts four times as fast.
import PoolClass from "undici/lib/dispatcher/pool.js";
import type { SkillFault } from "../contract/cause.ts";
import type { Adapter, CallLimits, Outcome } from "../contract/outcome.ts";
import type { HttpConfig } from "../contract/unit-skill.ts";
import { onAbort } from "../shared/async/abort.ts";
import { type Clock, startTimer, systemClock } from "../shared/async/clock.ts";
import type { Json } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import type { Body } from "../shared/network/bounded-body.ts";
import { exchange } from "../shared/network/exchange.ts";
import { isRedirect, networkWords, redirectWords } from "../shared/network/http.ts";
import { textOrBase64 } from "../shared/text/bytes-to-text.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { floodMessage, readUsage, silenceMessage, unsafeIntegerWarning } from "./answers.ts";
import type { HttpTarget } from "./http-target.ts";
import { excerptChars, isComplaint, refusedStatus } from "./refused-status.ts";
import { Throttle } from "./throttle.ts";

export interface HttpOptions {
  target: HttpTarget;
  /** Where connections go instead of the address. */
  socketPath?: string | null;
  /** POST by default. GET has no body: the input is its query. */
  method?: HttpConfig["method"];
  /** Builds the request body from a task's input. */
  buildBody: (input: Json) => Json;
  maxOutputBytes: number;
  /** Maximum number of calls at once; throttling may lower it for a while. */
  concurrency: number;
  clock?: Clock;
}

/** Calls a skill over connections that stay open. */
export function httpAdapter({
  target,
  socketPath = null,
  method = "POST",
  buildBody,
  maxOutputBytes,
  concurrency,
  clock = systemClock,
}: HttpOptions): Adapter {
  const pool: UndiciPool = new PoolClass(target.origin, {
    connections: concurrency,
    pipelining: 1,
    // The deadline below covers everything; these would be a second, longer one.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    ...(socketPath !== null && { socketPath }),
  });
  const throttle = new Throttle(concurrency);

  async function call(input: Json, { deadlineMs, signal }: CallLimits): Promise<Outcome> {
    const ticket = await throttle.enter(signal);
    let hasComplained = false;
    try {
      const outcome = await ask(input, deadlineMs, signal);
      hasComplained = outcome.status === "failed" && isComplaint(outcome.httpStatus ?? 0);
      return outcome;
    } finally {
      throttle.leave(ticket, hasComplained);
    }
  }

  async function ask(input: Json, deadlineMs: number, signal: AbortSignal): Promise<HttpOutcome> {
    signal.throwIfAborted();
    const began = clock.monotonic();
    const elapsed = () => clock.monotonic() - began;
    const { answer, stop } = exchange(pool, request(input), { capBytes: maxOutputBytes, wantsBody });
    let isOver = false;
    const timer = startTimer(() => {
      isOver = true;
      stop(new Error("the deadline has passed"));
    }, deadlineMs);
    const callOff = onAbort(signal, () => stop(new Error("the run was interrupted")));
    try {
      const { statusCode, headers, body } = await answer;
      if (body === null) return failure("redirect-refused", redirectWords(statusCode), elapsed());
      const latencyMs = elapsed();
      if (statusCode >= 400) return statusFailure(statusCode, headers, body, latencyMs, clock);
      return readAnswer(statusCode, headers, body, latencyMs);
    } catch (error) {
      signal.throwIfAborted();
      if (isOver) {
        return { status: "timed-out", latencyMs: deadlineMs, message: silenceMessage(deadlineMs) };
      }
      return connectionFailure(error as Error & { code?: string }, elapsed());
    } finally {
      clearTimeout(timer);
      callOff();
    }
  }

  function request(input: Json): Dispatcher.DispatchOptions {
    const { path, headers } = target;
    if (method === "GET") return { method, path: withQuery(path, input), headers: withoutBody(headers) };
    return { method, path, headers, body: JSON.stringify(buildBody(input)) };
  }

  return { call, [Symbol.asyncDispose]: () => pool.destroy() };
}

/** A path with the members of the input as its query: texts as they are, a list as one parameter per item, all else as JSON. */
function withQuery(path: string, input: Json): string {
  const members = isMap(input) ? Object.entries(input) : [["input", input] as const];
  const query = new URLSearchParams();
  for (const [name, value] of members)
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === "string" ? one : JSON.stringify(one));
  const text = query.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

function withoutBody({ "content-type": _, ...headers }: HttpTarget["headers"]): HttpTarget["headers"] {
  return headers;
}

type Headers = Record<string, string | string[] | undefined>;
type HttpOutcome = Outcome & { httpStatus?: number };

function readAnswer(status: number, headers: Headers, body: Body, latencyMs: number): Outcome {
  if (body.kind === "too-large") {
    const message = floodMessage(body.bytesSeen);
    return { ...failure("output-limit", message, latencyMs), bytesSeen: body.bytesSeen };
  }
  if (body.kind === "broken") return failure("bad-response", body.problem, latencyMs);
  const { bytes } = body;
  if (bytes.length === 0) return failure("bad-response", `HTTP ${status} with an empty body`, latencyMs);
  if (!isUtf8(bytes)) {
    return {
      ...failure("bad-response", "the body is not UTF-8", latencyMs),
      rawBase64: bytes.toString("base64"),
    };
  }
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const parsed = parseStrictJson(text);
  if (!parsed.ok) {
    const message = `the body is not valid JSON (${parsed.problem}): ${shorten(text, excerptChars)}`;
    return failure("bad-response", message, latencyMs);
  }
  const { usage, warnings } = readUsage(usageHeaders(headers));
  if (parsed.hasUnsafeInteger) warnings.push(unsafeIntegerWarning);
  return {
    status: "answered",
    output: parsed.value as Json,
    latencyMs,
    usage,
    ...(warnings.length > 0 && { warnings }),
  };
}

function statusFailure(
  status: number,
  headers: Headers,
  body: Body,
  latencyMs: number,
  clock: Clock,
): HttpOutcome {
  const text = body.kind === "whole" ? textOrBase64(body.bytes) : "";
  const refused = refusedStatus(status, text, single(headers["retry-after"]), clock.now());
  return { ...refused, latencyMs, httpStatus: status };
}

function connectionFailure(error: Error & { code?: string }, latencyMs: number): Outcome {
  if (error.code === undefined && error.name !== "HTTPParserError") throw error; // not a connection fault but a bug of ours
  // A peer that does not speak HTTP gave a wrong answer; everything else never got that far.
  const isNoHttp = error.name === "HTTPParserError" || error.name === "HeadersOverflowError";
  const cause = isNoHttp ? "bad-response" : "connection";
  return failure(cause, networkWords(error), latencyMs);
}

function failure(cause: SkillFault, message: string, latencyMs: number): Outcome & { status: "failed" } {
  return { status: "failed", cause, message, latencyMs };
}

function usageHeaders(headers: Headers): Record<string, number> | undefined {
  const names = {
    promptTokens: "x-usage-input-tokens",
    completionTokens: "x-usage-output-tokens",
    totalTokens: "x-usage-total-tokens",
    costUsd: "x-usage-cost-usd",
  };
  const reported = Object.entries(names).flatMap(([member, name]) => {
    const value = single(headers[name]);
    return value === undefined ? [] : [[member, value.trim() === "" ? Number.NaN : Number(value)]];
  });
  return reported.length === 0 ? undefined : Object.fromEntries(reported);
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function wantsBody(statusCode: number): boolean {
  return !isRedirect(statusCode);
}
