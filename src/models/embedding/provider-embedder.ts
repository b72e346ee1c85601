import type { Embedder } from "../../contract/model.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { isMap } from "../../shared/json/json-values.ts";
import type { ModelEndpoint } from "../model-id.ts";
import { connectTo, type FailedTry, sdkFault } from "../provider-connection.ts";
import type { ProviderExchange } from "../provider-exchange.ts";
import { ProviderError } from "../provider-fault.ts";
import { tryAgain } from "../retrying.ts";
import { type EmbeddingModel, lengthOptions, loadEmbeddingProvider } from "./embedding-model.ts";
import { vectorProblem } from "./vector-problem.ts";

export interface ProviderEmbedderOptions {
  endpoint: ModelEndpoint;
  key: string | null;
  dim: number;
  /** For one request, including its retries. */
  timeoutMs: number;
  retries: number;
  concurrency: number;
  clock: Clock;
  random: () => number;
}

/** An embedding model of a real provider. Its connections stay open until it is disposed of. */
export async function providerEmbedder(options: ProviderEmbedderOptions): Promise<Embedder> {
  const { endpoint, key, dim, timeoutMs, concurrency, clock } = options;
  const make = await loadEmbeddingProvider(endpoint, key);
  const connection = connectTo({ baseUrl: endpoint.baseUrl, key, concurrency, clock });
  const providerOptions = lengthOptions(endpoint, dim);

  async function ask(values: string[], abortSignal: AbortSignal): Promise<Float32Array[]> {
    const exchange = connection.exchange("json");
    const request = { values, abortSignal, ...(providerOptions && { providerOptions }) };
    const { embeddings, response } = await answerTo(make(exchange.fetch), request, exchange);
    const vectors = inOrder(embeddings, response?.body).map((vector) => Float32Array.from(vector));
    const problem = vectorProblem(vectors, { count: values.length, dim });
    if (problem !== null) throw new ProviderError({ fault: "bad-reply", message: problem });
    return vectors;
  }

  /** One deadline over all attempts. */
  async function askPatiently(values: string[], signal: AbortSignal): Promise<Float32Array[] | FailedTry> {
    const tried = await connection.within({ timeoutMs, signal }, (stop) =>
      tryAgain(() => connection.within({ timeoutMs, signal: stop }, (once) => ask(values, once)), {
        ...options,
        signal: stop,
        patienceMs: timeoutMs,
      }),
    );
    if (tried.status === "failed") return tried;
    return tried.value.status === "failed" ? tried.value : tried.value.value;
  }

  return {
    model: endpoint.id,
    dim,
    async embed(texts, signal) {
      signal.throwIfAborted();
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += maxTexts) {
        const answer = await askPatiently(texts.slice(at, at + maxTexts), signal);
        if ("status" in answer) return { status: "failed", message: `${endpoint.id}: ${answer.message}` };
        vectors.push(...answer);
      }
      return { status: "embedded", vectors };
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

type EmbedRequest = Parameters<EmbeddingModel["doEmbed"]>[0];

async function answerTo(model: EmbeddingModel, request: EmbedRequest, exchange: ProviderExchange) {
  try {
    return await model.doEmbed(request);
  } catch (error) {
    throw new ProviderError(sdkFault(error, exchange));
  }
}

/** Per request: every provider accepts this many. */
const maxTexts = 32;

/** A server of OpenAI's kind numbers its vectors, and need not send them in that order. */
function inOrder(embeddings: readonly number[][], body: unknown): number[][] {
  const items: readonly unknown[] = isMap(body) && Array.isArray(body.data) ? body.data : [];
  const indices = items.map((item) => (isMap(item) ? item.index : undefined));
  const ordered = embeddings.map((_, index) => embeddings[indices.indexOf(index)]);
  return ordered.every((vector) => vector !== undefined) ? ordered : [...embeddings];
}
