import type { ModelSettings } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import { type ModelSurroundings, modelDesk } from "../models/model-desk.ts";

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
export function openJudges(settings: ModelSettings, surroundings: ModelSurroundings): Judges {
  const desk = modelDesk(settings, surroundings);
  const { temperature } = settings.llm;
  const judges = new Map<string, JudgeModel>();
  return {
    async modelFor(id) {
      const judge = { model: await desk.open(id), temperature };
      judges.set(judge.model.id, judge);
      return judge;
    },
    all: () => [...judges.values()],
    secrets: desk.secrets,
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  };
}
