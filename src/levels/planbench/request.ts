import type { Config, ModelSettings } from "../../contract/config.ts";
import { type Settled, settledOptions, storedOptions } from "../../contract/option-table.ts";
import {
  type CommonOutput,
  type ContainmentOptions,
  commonOutput,
  containmentOptions,
  modelSettings,
  projectRoot,
  type RunConfig,
} from "../../engine/request.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { planGates } from "./level.ts";
import { type PlanbenchOptions, planbenchTable } from "./options.ts";

type PlanOptions = Settled<typeof planbenchTable, "plan">;

/** What decides the samples of a bench and how they end. Stored, so that a resumed run does the same. */
export interface BenchPlan extends ContainmentOptions, Omit<PlanOptions, keyof ContainmentOptions | "runs"> {
  /** Null: what the bench says. */
  samples: number | null;
  /** The key `skills.roots` of the configuration. */
  roots: string[];
  router: Config["router"];
  prompt: Config["prompt"];
  settings: ModelSettings;
  projectRoot: string;
  cwd: string;
  storedOptions: Partial<PlanbenchOptions>;
}

/** What may differ between a run and its resumption. */
export interface BenchOutput extends RunOutput, CommonOutput {
  includePlan: boolean;
}

/** What the options and the configuration say about the samples of a run. */
export function benchPlan(options: PlanbenchOptions, loaded: RunConfig, cwd: string): BenchPlan {
  const { config, files } = loaded;
  const { runs, ...plan } = settledOptions(planbenchTable, "plan", options);
  return {
    ...plan,
    cwd,
    projectRoot: projectRoot(files, cwd),
    samples: runs,
    roots: config.skills.roots,
    router: config.router,
    prompt: config.prompt,
    settings: modelSettings(config),
    ...containmentOptions(options.sandbox, loaded),
    storedOptions: storedOptions(planbenchTable, options, cwd),
  };
}

/** What they say about everything except the samples. */
export function benchOutput(options: PlanbenchOptions, loaded: RunConfig, cwd: string): BenchOutput {
  const run = settledOptions(planbenchTable, "run", options);
  return {
    ...commonOutput(options, loaded, cwd),
    command: "planbench",
    reportName: "planbench-result",
    includePlan: run.includePlan,
    gates: () => planGates(run),
  };
}
