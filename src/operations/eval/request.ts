import type { Config, ModelSettings } from "../../contract/config.ts";
import { type Settled, settledOptions, storedOptions } from "../../contract/option-table.ts";
import type { GateRule } from "../../engine/gates.ts";
import {
  type CommonOutput,
  type ContainmentOptions,
  commonOutput,
  containmentOptions,
  modelSettings,
  type RunConfig,
} from "../../engine/request.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { hasForbiddenSkip, triggerGates } from "../../levels/trigger/gates.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { type EvalOptions, evalTable } from "../../levels/unit/options.ts";
import { canonicalScorerType, scorerNames } from "../../scorers/choose-scorer.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";

type EvalPlanOptions = Settled<typeof evalTable, "plan">;

/** What decides the cells of a run and how they end. Kept in the store, so that a resumed run does the same. */
export interface PlanOptions
  extends ContainmentOptions,
    Omit<EvalPlanOptions, keyof ContainmentOptions | "benchmark"> {
  /** Id or path; null where `tasks` takes its place. */
  benchmark: string | null;
  /** Whether the deadline was asked for: it then caps those of the tasks. */
  isTimeoutTyped: boolean;
  models: ModelSettings;
  /** How the router judges trigger queries. */
  router?: Config["router"];
  /** A run that is resumed asks for the same around its cells, its gate above all, unless it is told otherwise. */
  asked: Partial<EvalOptions>;
  /** The folder relative paths counted from. */
  cwd: string;
}

/** What may differ between a run and its resumption. */
export type OutputOptions = CommonOutput & Omit<Settled<typeof evalTable, "run">, keyof CommonOutput>;

/** What the options and the configuration say about the cells of a run. */
export function planOptions(options: EvalOptions, loaded: RunConfig, cwd: string): PlanOptions {
  const { config } = loaded;
  const { benchmark, evaluator, ...plan } = settledOptions(evalTable, "plan", options, config);
  if (options.benchmark !== undefined && options.tasks !== undefined)
    throw new UserError("usage", "--tasks and --benchmark cannot be used together");
  return {
    ...plan,
    cwd,
    benchmark: plan.tasks === null ? benchmark : null,
    evaluator: knownScorer(evaluator),
    isTimeoutTyped: options.timeoutMs !== undefined,
    ...containmentOptions(options.sandbox, loaded),
    models: modelSettings(config),
    router: config.router,
    asked: storedOptions(evalTable, options, cwd),
  };
}

/** The same for `eval`. */
export function outputOptions(options: EvalOptions, loaded: RunConfig, cwd: string): OutputOptions {
  return {
    ...settledOptions(evalTable, "run", options),
    ...commonOutput(options, loaded, cwd),
  };
}

function knownScorer(name: string): string {
  const type = canonicalScorerType(name);
  if (type !== null) return type;
  throw new UserError("scorer-invalid", `unknown scorer: ${name}`, {
    hint: didYouMean(name, scorerNames),
  });
}

/** What `eval` and `run` ask of a run: every skill has to reach the line. */
export function evalOutput(
  output: OutputOptions,
  changes: Partial<RunOutput> = {},
): OutputOptions & RunOutput {
  const { minCompletion, gateOn, exitOnFail } = output;
  const completion: GateRule = {
    level: unitLevel.name,
    metric: "completionRate",
    on: gateOn,
    op: ">=",
    threshold: minCompletion,
    enforced: exitOnFail,
    scope: "subject",
  };
  return {
    ...output,
    command: "eval",
    reportName: "eval-result",
    gates: (suites) => [completion, ...triggerGates(suites, { lines: {}, on: gateOn, enforced: exitOnFail })],
    isMissing: (skipped, suites) =>
      output.requireTriggering &&
      (hasForbiddenSkip(skipped) ||
        (skipped.length === 0 && suites.every(({ level }) => level === unitLevel))),
    ...changes,
  };
}
