import type { ModelSettings } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import { type ModelContext, modelRegistry } from "../models/model-registry.ts";
import { promptVersion } from "../scorers/llm-judge-question.ts";
import type { Json } from "../shared/json/json.ts";

/** A model and how it is asked. */
export interface JudgeModel {
  model: Model;
  temperature: number;
}

export interface Judges extends AsyncDisposable {
  /** The judge of this id, or the configured one. A `UserError` where it cannot be asked. */
  modelFor(id: string | undefined): Promise<JudgeModel>;
  /** Every judge that was asked for, each once. */
  all(): JudgeModel[];
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

/** The judges of a run, opened when a scorer asks for one, and closed with the run. */
export function openJudges(settings: ModelSettings, context: ModelContext): Judges {
  const registry = modelRegistry(settings, context);
  const { temperature } = settings.llm;
  const judges = new Map<string, JudgeModel>();
  return {
    async modelFor(id) {
      const judge = { model: await registry.open(id), temperature };
      judges.set(judge.model.id, judge);
      return judge;
    },
    all: () => [...judges.values()],
    secrets: registry.secrets,
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

/** Everything about a judge that may change what it says. */
export function judgeIdentity({ model, temperature }: JudgeModel): Json {
  return { model: model.identity, temperature, promptVersion };
}
