import type { ModelSettings } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";

/** A model whose calls have a price: as the provider told it, else by the price list, else unknown. */
export function priced(model: Model, aliases: readonly string[], prices: ModelSettings["prices"]): Model {
  const name = aliases.find((alias) => Object.hasOwn(prices, alias));
  const price = name === undefined ? undefined : prices[name];
  if (price === undefined) return model;

  function withCost(usage: Usage): Usage {
    const { promptTokens, completionTokens } = usage;
    if (usage.costUsd !== null || promptTokens === null || completionTokens === null) return usage;
    const { inputPerMTok = 0, outputPerMTok = 0 } = price ?? {};
    return { ...usage, costUsd: (promptTokens * inputPerMTok + completionTokens * outputPerMTok) / 1e6 };
  }

  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      const outcome = await model.call(request, call);
      if (outcome.status !== "answered" || outcome.usage === null) return outcome;
      return { ...outcome, usage: withCost(outcome.usage) };
    },
  };
}
