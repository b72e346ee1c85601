import type { Model, ModelCall, ModelReply, ModelRequest } from "../contract/model.ts";
import type { Clock } from "../shared/async/clock.ts";
import { type LanguageModel, type LanguageModelMaker, loadProvider } from "./language-model.ts";
import { type ModelEndpoint, modelIdentity } from "./model-id.ts";
import { connectTo, sdkFault } from "./provider-connection.ts";
import { fetchReturning, OtherForm, type ProviderExchange, type ReplyForm } from "./provider-exchange.ts";
import { ProviderError, type ProviderFault } from "./provider-fault.ts";
import { callOptions, readReply, readStream } from "./sdk-messages.ts";

export interface AiSdkOptions {
  endpoint: ModelEndpoint;
  key: string | null;
  timeoutMs: number;
  concurrency: number;
  clock: Clock;
}

type Reply = Omit<ModelReply, "latencyMs">;

/** A model of a real provider, without retries: wrap it for those. Its connections stay open until it is disposed of. */
export async function aiSdkModel({
  endpoint,
  key,
  timeoutMs: defaultTimeoutMs,
  concurrency,
  clock,
}: AiSdkOptions): Promise<Model & AsyncDisposable> {
  const make = await loadProvider(endpoint, key);
  const connection = connectTo({ baseUrl: endpoint.baseUrl, key, concurrency, clock });
  let takesSchema = true;

  /** Sends the schema if there is one; for a provider that cannot enforce it, later requests leave it out. */
  async function ask(
    request: ModelRequest,
    signal: AbortSignal,
    onText: ModelCall["onText"],
  ): Promise<Reply> {
    const withSchema = takesSchema && request.schema !== undefined;
    const form = onText === undefined ? "json" : "event-stream";
    const exchange = connection.exchange(form);
    try {
      const options = callOptions(withSchema ? request : { ...request, schema: undefined }, signal);
      return await replyTo(make, options, exchange, form, onText);
    } catch (error) {
      const fault = sdkFault(error, exchange);
      if (!withSchema || !isAboutSchema(fault)) throw new ProviderError(fault);
      takesSchema = false;
      return ask(request, signal, onText);
    }
  }

  return {
    id: endpoint.id,
    identity: modelIdentity(endpoint),
    async call(request, { signal, onText }) {
      const { timeoutMs = defaultTimeoutMs } = request;
      const tried = await connection.within({ timeoutMs, signal }, (stop) => ask(request, stop, onText));
      if (tried.status === "failed") return tried;
      return { status: "answered", ...tried.value, latencyMs: tried.latencyMs };
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
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
    return read(other, fetchReturning(error.body, other));
  }
}

function isAboutSchema({ fault, status, message }: ProviderFault): boolean {
  if (fault !== "refused" || (status !== 400 && status !== 422)) return false;
  return /response.?format|json.?schema|output.?(?:format|config)|structured|schema/i.test(message);
}
