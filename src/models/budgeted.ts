import type { Price } from "../contract/config.ts";
import type { Model, ModelOutcome } from "../contract/model.ts";
import type { Budget, Need } from "./budget.ts";
import { computeCost, maxInputTokens, usdFor } from "./cost.ts";

export interface BudgetedOptions {
  budget: Budget;
  price: Price;
}

/** A model that is called only within the budget; a call beyond it fails with `budget`. */
export function budgeted(model: Model, { budget, price }: BudgetedOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      const need = estimateNeed(request, price);
      const reservation = await budget.reserve(need, call.signal);
      if (reservation === null)
        return { status: "failed", fault: "budget", message: refusal(need, budget), latencyMs: 0 };
      let costUsd = reservation.usd; // an interrupted call may have been charged for
      try {
        const outcome = await model.call(request, call);
        const spent = spentOn(outcome, price);
        costUsd = spent ?? reservation.usd;
        // What was set aside bounds the cost of a call that got no answer, unless its reply could be of any length.
        if (spent === null && (outcome.status === "answered" || need.isOpenEnded)) budget.spend(null);
        return outcome;
      } finally {
        reservation.settle(costUsd);
      }
    },
  };
}

function estimateNeed(request: Parameters<Model["call"]>[0], price: Price): Need {
  const { maxOutputTokens } = request;
  const usd = usdFor(maxInputTokens(request), maxOutputTokens ?? 0, price);
  return { usd, isOpenEnded: maxOutputTokens === undefined && price.outputPerMTok > 0 };
}

/** Null if the cost is unknown: an answer without usage, or one that came after the deadline. */
function spentOn(outcome: ModelOutcome, price: Price): number | null {
  if (outcome.status === "failed") return outcome.fault === "timeout" ? null : 0;
  return outcome.usage === null ? null : computeCost(outcome.usage, price);
}

function refusal({ usd, isOpenEnded }: Need, { maxUsd, leftUsd }: Budget): string {
  const bound = isOpenEnded ? "at least" : "up to";
  return `this call may cost ${bound} ${inWords(usd)} USD, and ${inWords(leftUsd)} of ${maxUsd} USD are left`;
}

function inWords(usd: number): string {
  return String(Number(usd.toPrecision(3)));
}
