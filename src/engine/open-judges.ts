import type { ModelSettings } from "../contract/config.ts";
import type { CanaryFigures } from "../contract/figures.ts";
import type { JudgeReliance } from "../contract/judge-reliance.ts";
import { type ModelContext, modelRegistry } from "../models/model-registry.ts";
import type { JudgeModel, JudgeSettings } from "../scorers/llm-judge-ask.ts";
import { promptVersion } from "../scorers/llm-judge-question.ts";
import type { Json } from "../shared/json/json.ts";

export interface Judges extends AsyncDisposable {
  /** The judge of this id, or the configured one. A `UserError` where it cannot be asked. */
  modelFor(id: string | undefined): Promise<JudgeModel>;
  /** Every judge that was opened, each once. */
  all(): JudgeModel[];
  /** Asks every judge about cases of known score, each once in a run. Throws the signal's reason when interrupted. */
  askCanaries(signal: AbortSignal): Promise<ReadonlyMap<string, CanaryFigures>>;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

export interface JudgesContext extends ModelContext {
  reliance: JudgeReliance;
}

/** The judges of a run, opened when a scorer asks for one, and closed with the run. */
export function openJudges(settings: ModelSettings, { reliance, ...context }: JudgesContext): Judges {
  const registry = modelRegistry(settings, context);
  const { temperature } = settings.llm;
  const judges = new Map<string, CheckedJudge>();
  return {
    async modelFor(id) {
      const model = await registry.open(id);
      const judge = judges.get(model.id) ?? checkedJudge({ model, temperature }, reliance);
      judges.set(model.id, judge);
      return judge;
    },
    all: () => [...judges.values()],
    async askCanaries(signal) {
      const opened = [...judges];
      const figures = await Promise.all(opened.map(([, judge]) => judge.check(signal)));
      return new Map(opened.map(([id], at) => [id, figures[at] as CanaryFigures]));
    },
    secrets: registry.secrets,
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

interface CheckedJudge extends JudgeModel {
  check(signal: AbortSignal): Promise<CanaryFigures>;
}

/** A judge that is asked about cases of known score before its first verdict, whoever wants to know first. */
function checkedJudge(asked: JudgeSettings, reliance: JudgeReliance): CheckedJudge {
  let checking: Promise<CanaryFigures> | null = null;
  const check = (signal: AbortSignal) => {
    checking ??= import("../scorers/canaries.ts").then(({ askCanaries }) => askCanaries(asked, signal));
    return checking;
  };
  return {
    ...asked,
    isTrusted: reliance === "trusted",
    check,
    async findProblem(signal) {
      if (reliance === "unchecked") return null;
      const { cause, problem } = await check(signal);
      return cause === null || problem === null ? null : { cause, message: problem };
    },
  };
}

/** Everything about a judge that may change what it says. */
export function judgeIdentity({ model, temperature }: JudgeSettings): Json {
  return { model: model.identity, temperature, promptVersion };
}

/** Warnings about judges that did badly on their canaries. */
export function canaryWarnings(figures: ReadonlyMap<string, CanaryFigures>): string[] {
  return [...figures.values()].flatMap(({ problem }) => problem ?? []);
}
