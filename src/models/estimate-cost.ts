import type { Price } from "../contract/config.ts";
import type { ModelRequest } from "../contract/model.ts";
import { encodedLength } from "../shared/text/token-encoding.ts";
import { maxInputTokens } from "./most-input-tokens.ts";
import { usdFor } from "./priced.ts";

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
