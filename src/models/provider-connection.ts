import PoolClass from "undici/lib/dispatcher/pool.js";
import type { ModelFault } from "../contract/model.ts";
import { onAbort } from "../shared/async/abort.ts";
import { type Clock, startTimer } from "../shared/async/clock.ts";
import { redactor } from "../shared/text/redact.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { openExchange, type ProviderExchange, type ReplyForm } from "./provider-exchange.ts";
import { ProviderError, type ProviderFault, statusFault } from "./provider-fault.ts";

interface ConnectionOptions {
  baseUrl: string;
  key: string | null;
  concurrency: number;
  clock: Clock;
}

/** Why an attempt got no answer, without secrets. */
export interface FailedTry {
  status: "failed";
  fault: ModelFault;
  message: string;
  latencyMs: number;
  retryAfterMs?: number | undefined;
}

/** The connections to one provider; they stay open until it is disposed of. */
interface ProviderConnection extends AsyncDisposable {
  exchange(form: ReplyForm): ProviderExchange;
  /** Does this within its time. A `ProviderError` becomes a value; an interruption throws the signal's reason. */
  within<Value>(
    deadline: { timeoutMs: number; signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ status: "done"; value: Value; latencyMs: number } | FailedTry>;
}

export function connectTo({ baseUrl, key, concurrency, clock }: ConnectionOptions): ProviderConnection {
  const { origin } = new URL(baseUrl);
  // The deadline below covers everything; these would be a second one.
  const noTimeouts = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 };
  const pool = new PoolClass(origin, { connections: concurrency, pipelining: 1, ...noTimeouts });
  const redact = redactor(key === null ? [] : [key]);
  return {
    exchange: (form) => openExchange({ pool, origin, hasKey: key !== null, form, clock }),
    async within({ timeoutMs, signal }, work) {
      signal.throwIfAborted();
      const stop = new AbortController();
      let isOver = false;
      const timer = startTimer(() => {
        isOver = true;
        stop.abort();
      }, timeoutMs);
      const callOff = onAbort(signal, () => stop.abort());
      const began = clock.monotonic();
      try {
        const value = await work(stop.signal);
        return { status: "done", value, latencyMs: clock.monotonic() - began };
      } catch (error) {
        signal.throwIfAborted();
        const failed = { status: "failed", latencyMs: clock.monotonic() - began } as const;
        if (isOver) return { ...failed, fault: "timeout", message: `no reply within ${timeoutMs} ms` };
        if (!(error instanceof ProviderError)) throw error;
        const { fault, message, retryAfterMs } = error.fault;
        return { ...failed, fault, message: shorten(redact(message), messageChars), retryAfterMs };
      } finally {
        clearTimeout(timer);
        callOff();
      }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

const messageChars = 400;

/** The fault, from our exchange or from the library that could not parse the reply. */
export function sdkFault(error: unknown, exchange: ProviderExchange): ProviderFault {
  const noticed = exchange.fault();
  if (noticed !== null) return noticed;
  if (error instanceof ProviderError) return error.fault;
  if (!exchange.isAnswered()) throw error; // no answer and no fault: a bug of ours
  if (!(error instanceof Error))
    return { fault: "unavailable", message: `the reply broke off: ${wordsIn(error)}` };
  const { message, statusCode = 200, responseBody = "" } = error as SdkError;
  // An error in the middle of a stream has a status of its own.
  if (statusCode >= 300) return statusFault(statusCode, responseBody || message, undefined);
  const excerpt = shorten(responseBody, excerptChars);
  return { fault: "bad-reply", message: `the reply cannot be read: ${message}${excerpt && `: ${excerpt}`}` };
}

type SdkError = Error & { statusCode?: number; responseBody?: string };

/** The error a provider sent instead of the rest of its reply. */
function wordsIn(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : JSON.stringify(error);
}

const excerptChars = 200;
