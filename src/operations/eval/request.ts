import type { Config, ModelSettings } from "../../contract/config.ts";
import { type Settled, settledOptions, storedOptions } from "../../contract/option-table.ts";
import { type GateRule, limitGates } from "../../engine/gates.ts";
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

/** The options that determine the cells of a run and their results. Stored, so that a resumed run uses the same. */
export interface PlanOptions
  extends ContainmentOptions,
    Omit<EvalPlanOptions, keyof ContainmentOptions | "benchmark" | "python" | "shard" | "failed"> {
  /** Id or path; null where none was named: then it is `tasks`, or the default. */
  benchmark: string | null;
  /** Whether `--timeout` was typed: it then caps the timeouts of the tasks. */
  isTimeoutTyped: boolean;
  models: ModelSettings;
  /** How the router judges trigger queries. */
  router?: Config["router"];
  /** What was typed when the run began. A resumed run uses the same options, above all its gate, unless they are typed again. */
  storedOptions: Partial<EvalOptions>;
  /** The folder relative paths counted from. */
  cwd: string;
}

/** What may differ between a run and its resumption. */
export type OutputOptions = CommonOutput & Omit<Settled<typeof evalTable, "run">, keyof CommonOutput>;

export function planOptions(options: EvalOptions, loaded: RunConfig, cwd: string): PlanOptions {
  const { config } = loaded;
  const {
    benchmark: _benchmark,
    evaluator,
    shard: _shard,
    failed: _failed,
    ...plan
  } = settledOptions(evalTable, "plan", options, config);
  if (options.benchmark !== undefined && options.tasks !== undefined)
    throw new UserError("usage", "--tasks and --benchmark cannot be used together");
  return {
    ...plan,
    cwd,
    benchmark: options.benchmark ?? null,
    evaluator: knownScorer(evaluator),
    isTimeoutTyped: options.timeoutMs !== undefined,
    ...containmentOptions(options.sandbox, loaded),
    models: modelSettings(config),
    router: config.router,
    storedOptions: storedOptions(evalTable, options, cwd),
  };
}

export function outputOptions(options: EvalOptions, loaded: RunConfig, cwd: string): OutputOptions {
  return {
    ...settledOptions(evalTable, "run", options),
    ...commonOutput(options, loaded, cwd),
    exitOnFail: options.exitOnFail ?? gateOptions.some((name) => options[name] !== undefined),
  };
}

/** Whoever types one of these wants it enforced. */
const gateOptions = [
  "minCompletion",
  "gateOn",
  "maxErrorRate",
  "maxP95Ms",
  "maxCostUsd",
] as const satisfies readonly (keyof EvalOptions)[];

function knownScorer(name: string): string {
  const type = canonicalScorerType(name);
  if (type !== null) return type;
  throw new UserError("scorer-invalid", `unknown scorer: ${name}`, {
    hint: didYouMean(name, scorerNames),
  });
}

/** The output and gates of `eval` and `run`: every skill has to reach the threshold. */
export function evalOutput(
  output: OutputOptions,
  changes: Partial<RunOutput> = {},
): OutputOptions & RunOutput {
  const { minCompletion, gateOn, exitOnFail } = output;
  const isLimited = output.configured?.entries.some(({ maxErrorRate }) => maxErrorRate !== undefined);
  if (output.countRetries && output.maxErrorRate === null && isLimited !== true)
    throw new UserError("usage", "--count-retries has no effect without --max-error-rate", {
      hint: "add the error rate to allow: --max-error-rate 0.1",
    });
  const completion: GateRule = {
    level: unitLevel.name,
    metric: "completionRate",
    on: gateOn,
    op: ">=",
    threshold: minCompletion,
    enforced: exitOnFail,
    scope: "subject",
    isDefault: output.configured?.typed.minCompletion === undefined,
  };
  const limits = limitGates(output, { level: unitLevel.name, enforced: exitOnFail });
  return {
    ...output,
    command: "eval",
    isInformative: !exitOnFail,
    reportName: "eval-result",
    gates: (suites) => [
      completion,
      ...limits,
      ...triggerGates(suites, { lines: {}, on: gateOn, enforced: exitOnFail }),
    ],
    isMissing: (skipped, suites) =>
      output.requireTriggering &&
      (hasForbiddenSkip(skipped) ||
        (skipped.length === 0 && suites.every(({ level }) => level === unitLevel))),
    ...changes,
  };
}
