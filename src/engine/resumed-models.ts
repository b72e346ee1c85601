import type { ModelSettings } from "../contract/config.ts";
import { UserError } from "../shared/user-error.ts";
import type { RunConfig } from "./request.ts";

/** The model settings configured now, without the key. Besides endpoints and the names of keys, without defaults. */
export type ConfiguredModels = Omit<ModelSettings, "llm"> & {
  llm: Partial<ModelSettings["llm"]> & Pick<ModelSettings["llm"], "baseUrl" | "apiKeyEnv">;
};

export function configuredModels({
  config,
  origins,
}: Pick<RunConfig, "config" | "origins">): ConfiguredModels {
  const { apiKey: _, baseUrl, apiKeyEnv, ...llm } = config.llm;
  const configured = Object.entries(llm).filter(([key]) => origins[`llm.${key}`] !== "default");
  return {
    llm: { ...Object.fromEntries(configured), baseUrl, apiKeyEnv },
    models: config.models,
    prices: config.prices,
  };
}

/**
 * The model settings of a resumed run: the judges stay as planned; timeouts and prices may be new. Endpoints and keys
 * are those of now: a store is a file of the working tree and may not name them.
 */
export function resumedModels(planned: ModelSettings, now: ConfiguredModels | undefined): ModelSettings {
  if (now === undefined) return planned;
  const { model, temperature } = planned.llm;
  return {
    llm: { ...planned.llm, ...now.llm, model, temperature },
    models: now.models,
    prices: { ...planned.prices, ...now.prices },
  };
}

/** Throws if the configuration now names other judges, or other endpoints for them. */
export function refuseOtherJudges(
  runId: string,
  planned: ModelSettings,
  now: ConfiguredModels | undefined,
): void {
  const after = judgeSettings(now ?? planned);
  const changed = Object.entries(judgeSettings(planned)).find(
    ([key, before]) => after[key] !== undefined && after[key] !== before,
  );
  if (changed === undefined) return;
  const [key, before] = changed;
  throw new UserError("usage", `run ${runId} cannot be resumed: ${key} has changed since it started`, {
    jsonPath: `$.${key}`,
    hint: `set it back to ${JSON.stringify(before)}, or start a new run`,
  });
}

/** The settings that determine the judges. */
function judgeSettings({ llm, models }: ConfiguredModels): Record<string, unknown> {
  const endpoints = Object.entries(models).map(([name, { baseUrl }]) => [`models.${name}.baseUrl`, baseUrl]);
  return {
    "llm.model": llm.model,
    "llm.temperature": llm.temperature,
    "llm.baseUrl": llm.baseUrl,
    ...Object.fromEntries(endpoints),
  };
}
