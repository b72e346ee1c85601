import { bridgedModel } from "../agent-runtime/decide/model-bridge.ts";
import type { AgentModel } from "../contract/agent-parts.ts";
import type { ModelSettings } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import { Budget } from "../models/budget.ts";
import { budgeted } from "../models/budgeted.ts";
import { type ModelContext, modelRegistry } from "../models/model-registry.ts";
import type { Json } from "../shared/json/json.ts";
import { UserError } from "../shared/user-error.ts";

/** Opens models for agents. */
export interface AgentModels extends AsyncDisposable {
  /** The model for one run, and the one that answers where it cannot. */
  open(
    id: string,
    run: { trial: number; maxCostUsd: number | null },
  ): Promise<{ model: AgentModel; fallback: AgentModel | null }>;
  /** The id as reports name it, and everything that may change the model's answers. A `UserError` where it cannot be called. */
  identify(id: string): Promise<{ id: string; identity: Json }>;
  /** A model as it is, with the retries of the configuration: for conversations, which count replies and not tries. */
  plain(id: string): Promise<Model>;
  secrets(): string[];
}

export interface AgentModelOptions {
  settings: ModelSettings;
  fallback: string | null;
}

export function agentModels(
  { settings, fallback }: AgentModelOptions,
  context: Omit<ModelContext, "replies">,
): AgentModels {
  // Every try counts against the budget of a run, so the agent tries again by itself.
  const llm = { ...settings.llm, retries: 0 };
  const registry = modelRegistry({ ...settings, llm }, context);
  const patient = modelRegistry(settings, context);
  const { temperature } = settings.llm;

  function within(model: Model, id: string, runBudget: Budget | null): Model {
    if (runBudget === null) return model;
    const price = registry.findPrice(id);
    if (price !== null) return budgeted(model, { budget: runBudget, price });
    throw new UserError("config-invalid", `max_cost_usd needs to know what the model ${model.id} costs`, {
      jsonPath: "$.prices",
      hint: `prices: { ${JSON.stringify(model.id)}: { inputPerMTok: 2.5, outputPerMTok: 10 } }`,
    });
  }

  return {
    async open(id, run) {
      const { trial, maxCostUsd: usd } = run;
      // Both share one budget: what the first model spent is gone for its fallback.
      const purse = usd === null ? null : new Budget(usd);
      const bridge = async (name: string) =>
        bridgedModel(within(unpaid(await registry.open(name)), name, purse), { trial, temperature });
      return { model: await bridge(id), fallback: fallback === null ? null : await bridge(fallback) };
    },
    async identify(id) {
      const model = await registry.open(id);
      const other = fallback === null ? null : await registry.open(fallback);
      return {
        id: model.id,
        identity: { model: model.identity, temperature, fallback: other?.identity ?? null },
      };
    },
    plain: (id) => patient.open(id),
    secrets: () => [...registry.secrets(), ...patient.secrets()],
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await patient[Symbol.asyncDispose]();
    },
  };
}

/** When the budget of all runs is spent, a refused call says nothing about its run: it counts as if the model were unavailable. */
function unpaid(model: Model): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      const outcome = await model.call(request, call);
      if (outcome.status === "answered" || outcome.fault !== "budget") return outcome;
      return { ...outcome, fault: "refused", message: `--max-cost: ${outcome.message}` };
    },
  };
}
