import PoolClass from "undici/lib/dispatcher/pool.js";
import { type Clock, startTimer } from "../base/clock.ts";
import { onAbort } from "../base/on-abort.ts";
import { redactor } from "../base/redact.ts";
import { shorten } from "../base/visible-text.ts";
import type { Model, ModelCall, ModelReply, ModelRequest } from "../contract/model.ts";
import { type LanguageModel, type LanguageModelMaker, loadProvider } from "./language-model.ts";
import type { ModelPlace } from "./model-id.ts";
import { modelIdentity } from "./model-identity.ts";
import {
  fetchOf,
  OtherForm,
  openExchange,
  type ProviderExchange,
  type ReplyForm,
} from "./provider-exchange.ts";
import { type ProviderFault, statusFault } from "./provider-fault.ts";
import { callOptions, readReply, readStream } from "./sdk-messages.ts";

export interface AiSdkOptions {
  place: ModelPlace;
  key: string | null;
  timeoutMs: number;
  concurrency: number;
  clock: Clock;
}

type Reply = Omit<ModelReply, "latencyMs">;

/** A model of a real provider, asked once per call: whoever wants more tries wraps it. Its connections stay open until it is disposed of. */
export async function aiSdkModel({
  place,
  key,
  timeoutMs,
  concurrency,
  clock,
}: AiSdkOptions): Promise<Model & AsyncDisposable> {
  const make = await loadProvider(place, key);
  const { origin } = new URL(place.baseUrl);
  // One deadline over everything is kept below; these would be a second one.
  const noTimeouts = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 };
  const pool = new PoolClass(origin, { connections: concurrency, pipelining: 1, ...noTimeouts });
  const redact = redactor(key === null ? [] : [key]);
  let takesSchema = true;

  const exchangeFor = (form: ReplyForm) => openExchange({ pool, origin, hasKey: key !== null, form, clock });

  /** Asks with the schema where there is one; a provider that cannot enforce it is asked without from then on. */
  async function ask(
    request: ModelRequest,
    signal: AbortSignal,
    onText: ModelCall["onText"],
  ): Promise<Reply> {
    const withSchema = takesSchema && request.schema !== undefined;
    const form = onText === undefined ? "json" : "event-stream";
    const exchange = exchangeFor(form);
    try {
      const options = callOptions(withSchema ? request : { ...request, schema: undefined }, signal);
      return await replyTo(make, options, exchange, form, onText);
    } catch (error) {
      const fault = faultOf(error, exchange);
      if (!withSchema || !isAboutSchema(fault)) throw new Failure(fault);
      takesSchema = false;
      return ask(request, signal, onText);
    }
  }

  return {
    id: place.id,
    identity: modelIdentity(place),
    async call(request, { signal, onText }) {
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
        const reply = await ask(request, stop.signal, onText);
        return { status: "answered", ...reply, latencyMs: clock.monotonic() - began };
      } catch (error) {
        signal.throwIfAborted();
        const latencyMs = clock.monotonic() - began;
        const failed = { status: "failed", latencyMs } as const;
        if (isOver) return { ...failed, fault: "timeout", message: `no reply within ${timeoutMs} ms` };
        if (!(error instanceof Failure)) throw error;
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

class Failure extends Error {
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Options = Parameters<LanguageModel["doGenerate"]>[0];

async function replyTo(
  make: LanguageModelMaker,
  options: Options,
  { fetch }: ProviderExchange,
  form: ReplyForm,
  onText: ModelCall["onText"],
): Promise<Reply> {
  const read = async (as: ReplyForm, through: typeof globalThis.fetch) =>
    as === "json"
      ? readReply(await make(through).doGenerate(options), onText)
      : readStream(await make(through).doStream(options), onText);
  try {
    return await read(form, fetch);
  } catch (error) {
    if (!(error instanceof OtherForm)) throw error;
    const other = form === "json" ? "event-stream" : "json";
    return read(other, fetchOf(error.body, other));
  }
}

/** What went wrong, whoever noticed: our exchange, or the library that could not read what came. */
function faultOf(error: unknown, exchange: ProviderExchange): ProviderFault {
  const noticed = exchange.fault();
  if (noticed !== null) return noticed;
  if (!exchange.isAnswered()) throw error; // nothing was answered and nothing broke: our own mistake
  if (!(error instanceof Error))
    return { fault: "unavailable", message: `the reply broke off: ${wordsIn(error)}` };
  const { message, statusCode = 200, responseBody = "" } = error as SdkError;
  // An error that a provider tells in the middle of a stream has a status of its own.
  if (statusCode >= 300) return statusFault(statusCode, responseBody || message, undefined);
  const said = shorten(responseBody, excerptChars);
  return { fault: "bad-reply", message: `the reply cannot be read: ${message}${said && `: ${said}`}` };
}

type SdkError = Error & { statusCode?: number; responseBody?: string };

/** What a provider said in place of the rest of its reply. */
function wordsIn(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : JSON.stringify(error);
}

const excerptChars = 200;

function isAboutSchema({ fault, status, message }: ProviderFault): boolean {
  if (fault !== "refused" || (status !== 400 && status !== 422)) return false;
  return /response.?format|json.?schema|output.?(?:format|config)|structured|schema/i.test(message);
}
