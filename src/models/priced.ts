import type { Price } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";

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
