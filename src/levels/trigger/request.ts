import type { Config, ModelSettings } from "../../contract/config.ts";
import type { JudgeKind } from "../../contract/judge-kind.ts";
import { type Settled, settledOptions, storedOptions } from "../../contract/option-table.ts";
import type { RoutingFilters } from "../../contract/routing.ts";
import type { TriggerGate } from "../../contract/triggering.ts";
import { type CommonOutput, commonOutput, modelSettings, type RunConfig } from "../../engine/request.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { hasForbiddenSkip, triggerGates } from "./gates.ts";
import { type TriggerOptions, triggerTable } from "./options.ts";

type PlanOptions = Settled<typeof triggerTable, "plan">;

/** What decides the queries of a trigger suite and how they are judged. Stored, so that a resumed run does the same. */
export interface TriggerSuiteOptions
  extends Pick<
    PlanOptions,
    "skills" | "sets" | "cases" | "threshold" | "requireVectors" | "seed" | "timeoutMs"
  > {
  /** Folders of siblings; null: the parent folders of the skills. */
  catalog: readonly string[] | null;
  judge: { kind: JudgeKind | null; model: string | null; agent: string | null };
  /** Null: what the block says. */
  repeats: number | null;
  filters: RoutingFilters;
  router: Config["router"];
  models: ModelSettings;
  /** The folder relative paths count from. */
  cwd: string;
}

/** The plan of a run of `trigger`, as it is stored. */
export interface TriggerPlan extends TriggerSuiteOptions {
  /** The options that were set when the run began. */
  storedOptions: Partial<TriggerOptions>;
}

/** What may differ between a run and its resumption. */
export interface TriggerOutput extends RunOutput, CommonOutput {
  allowInconclusive: boolean;
}

/** What the options and the configuration say about the queries of a run. */
export function triggerPlan(options: TriggerOptions, { config }: RunConfig, cwd: string): TriggerPlan {
  const { catalog, judge, judgeModel, agent, runs, host, groups, allow, ...plan } = settledOptions(
    triggerTable,
    "plan",
    options,
  );
  return {
    ...plan,
    cwd,
    catalog: catalog.length === 0 ? null : catalog,
    judge: { kind: judge, model: judgeModel, agent },
    repeats: runs,
    filters: { host, groups, allow },
    router: config.router,
    models: modelSettings(config),
    storedOptions: storedOptions(triggerTable, options, cwd),
  };
}

/** What they say about everything except the queries. */
export function triggerOutput(options: TriggerOptions, loaded: RunConfig, cwd: string): TriggerOutput {
  const { minRecall, minPrecision, minMcc, gateOn: on = "point" } = options;
  const lines: TriggerGate = {
    ...(minRecall !== undefined && { recall: minRecall }),
    ...(minPrecision !== undefined && { precision: minPrecision }),
    ...(minMcc !== undefined && { mcc: minMcc }),
  };
  return {
    ...commonOutput(options, loaded, cwd),
    command: "trigger",
    reportName: "trigger-result",
    gates: (suites) => triggerGates(suites, { lines, on, enforced: true }),
    isMissing: (skipped) => options.requireTriggering === true && hasForbiddenSkip(skipped),
    allowInconclusive: options.allowInconclusive === true,
  };
}
