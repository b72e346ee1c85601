import type { Price } from "../contract/config.ts";
import type { Model, ModelRequest } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";
import { encodedLength } from "../shared/text/token-encoding.ts";

/** A model whose calls have a price: as reported by the provider, else by the price list, else unknown. */
export function priced(model: Model, price: Price | null): Model {
  if (price === null) return model;
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      const outcome = await model.call(request, call);
      if (outcome.status !== "answered" || outcome.usage === null) return outcome;
      return { ...outcome, usage: { ...outcome.usage, costUsd: computeCost(outcome.usage, price) } };
    },
  };
}

/** The cost of a call: as reported by the provider, else by its tokens; null if these are unknown. */
export function computeCost({ costUsd, promptTokens, completionTokens }: Usage, price: Price): number | null {
  if (costUsd !== null || promptTokens === null || completionTokens === null) return costUsd;
  return usdFor(promptTokens, completionTokens, price);
}

export function usdFor(inputTokens: number, outputTokens: number, price: Price): number {
  return (inputTokens * price.inputPerMTok + outputTokens * price.outputPerMTok) / 1e6;
}

/** An upper bound on the tokens of a request: no provider counts more than one per byte. Separators between messages and instructions about a schema come on top. */
export function maxInputTokens({ messages, schema }: ModelRequest): number {
  let tokens = frameTokens;
  for (const { text } of messages) tokens += messageTokens + Buffer.byteLength(text);
  if (schema !== undefined) tokens += schemaTokens + Buffer.byteLength(JSON.stringify(schema));
  return tokens;
}

const frameTokens = 16;
const messageTokens = 16;
const schemaTokens = 512;

/** The estimated cost of calls. Null is unknown: no price, or a reply of unlimited length. */
export interface CostEstimate {
  calls: number;
  /** By the o200k encoding; models differ by some ten percent. */
  tokensIn: number;
  maxOutputTokens: number | null;
  /** With these tokens, and every reply as long as it may be. */
  usd: number | null;
  /** What a budget sets aside for them: with this much, none is refused. */
  maxUsd: number | null;
}

/** Estimates the cost of these requests without sending them. */
export async function estimateCost(
  requests: Iterable<ModelRequest>,
  price: Price | null,
): Promise<CostEstimate> {
  let [calls, tokensIn, maxTokensIn] = [0, 0, 0];
  let tokensOut: number | null = 0;
  for (const request of requests) {
    calls++;
    for (const { text } of request.messages) tokensIn += await encodedLength(text);
    maxTokensIn += maxInputTokens(request);
    const { maxOutputTokens = null } = request;
    tokensOut = tokensOut === null || maxOutputTokens === null ? null : tokensOut + maxOutputTokens;
  }
  const usdFrom = (tokens: number) =>
    price === null || tokensOut === null ? null : usdFor(tokens, tokensOut, price);
  return {
    calls,
    tokensIn,
    maxOutputTokens: tokensOut,
    usd: usdFrom(tokensIn),
    maxUsd: usdFrom(maxTokensIn),
  };
}
