import type { ModelSettings } from "../contract/config.ts";
import type { CanaryFigures } from "../contract/figures.ts";
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
  /** Every judge that was opened, each once. */
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

/** Asks every judge about cases of known score while the cells run. Throws the signal's reason when interrupted. */
export async function askAllCanaries(
  judges: readonly JudgeModel[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CanaryFigures>> {
  const figures = new Map<string, CanaryFigures>();
  if (judges.length === 0) return figures;
  const { askCanaries } = await import("../scorers/canaries.ts");
  await Promise.all(
    judges.map(async ({ model, temperature }) => {
      figures.set(model.id, await askCanaries(model, temperature, signal));
    }),
  );
  return figures;
}

/** Warnings about judges that did badly on their canaries. */
export function canaryWarnings(figures: ReadonlyMap<string, CanaryFigures>): string[] {
  return [...figures].flatMap(([model, { asked, answered, flipRate, drift }]) => {
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    if (answered === 0) return [`judge ${model} answered none of its ${asked} canaries`];
    const warnings: string[] = [];
    if (flipRate !== null && flipRate > 0)
      warnings.push(`judge ${model} accepted ${percent(flipRate)} of the prompt-injection canaries`);
    if (drift !== null && drift > tolerableDrift)
      warnings.push(`judge ${model} is off by ${drift.toFixed(2)} on canaries of known score`);
    return warnings;
  });
}

/** Judges differ by a few tenths on honest cases; beyond that a threshold of 0.5 means nothing. */
const tolerableDrift = 0.25;
