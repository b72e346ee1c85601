import type { Price } from "../contract/config.ts";
import type { Model, ModelRequest } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";
import { encodedLength } from "../shared/text/token-encoding.ts";

/** A model whose calls have a price: as the provider told it, else by the price list, else unknown. */
export function priced(model: Model, price: Price | null): Model {
  if (price === null) return model;
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      const outcome = await model.call(request, call);
      if (outcome.status !== "answered" || outcome.usage === null) return outcome;
      return { ...outcome, usage: { ...outcome.usage, costUsd: costOf(outcome.usage, price) } };
    },
  };
}

/** What a call cost: as the provider told it, else by its tokens; null where these are unknown. */
export function costOf({ costUsd, promptTokens, completionTokens }: Usage, price: Price): number | null {
  if (costUsd !== null || promptTokens === null || completionTokens === null) return costUsd;
  return usdFor(promptTokens, completionTokens, price);
}

export function usdFor(inputTokens: number, outputTokens: number, price: Price): number {
  return (inputTokens * price.inputPerMTok + outputTokens * price.outputPerMTok) / 1e6;
}

/** More tokens than any provider counts for a question: none makes two of one byte. Marks between messages, and words of its own about a schema, come on top. */
export function maxInputTokens({ messages, schema }: ModelRequest): number {
  let tokens = frameTokens;
  for (const { text } of messages) tokens += messageTokens + Buffer.byteLength(text);
  if (schema !== undefined) tokens += schemaTokens + Buffer.byteLength(JSON.stringify(schema));
  return tokens;
}

const frameTokens = 16;
const messageTokens = 16;
const schemaTokens = 512;

/** What calls would take if they were made. Null is unknown: no price, or a reply without a longest length. */
export interface CostEstimate {
  calls: number;
  /** By the o200k encoding; models differ by some ten percent. */
  tokensIn: number;
  tokensOutAtMost: number | null;
  /** With these tokens, and every reply as long as it may be. */
  usd: number | null;
  /** What a budget sets aside for them: with this much, none is refused. */
  usdAtMost: number | null;
}

/** Reckons what these questions would cost, without asking them. */
export async function estimateCost(
  requests: Iterable<ModelRequest>,
  price: Price | null,
): Promise<CostEstimate> {
  let [calls, tokensIn, tokensInAtMost] = [0, 0, 0];
  let tokensOut: number | null = 0;
  for (const request of requests) {
    calls++;
    for (const { text } of request.messages) tokensIn += await encodedLength(text);
    tokensInAtMost += maxInputTokens(request);
    const { maxOutputTokens = null } = request;
    tokensOut = tokensOut === null || maxOutputTokens === null ? null : tokensOut + maxOutputTokens;
  }
  const usdFrom = (tokens: number) =>
    price === null || tokensOut === null ? null : usdFor(tokens, tokensOut, price);
  return {
    calls,
    tokensIn,
    tokensOutAtMost: tokensOut,
    usd: usdFrom(tokensIn),
    usdAtMost: usdFrom(tokensInAtMost),
  };
}
