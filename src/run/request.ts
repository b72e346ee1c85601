import { resolve } from "node:path";
import { didYouMean } from "../base/nearest.ts";
import type { Config, ConfigOrigin, ModelSettings } from "../contract/config.ts";
import { type Options, type Settled, settledOptions, storedOptions } from "../contract/option-table.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import type { SandboxLevel } from "../contract/sandbox-level.ts";
import { UserError } from "../contract/user-error.ts";
import { canonicalScorerType, scorerNames } from "../scorers/choose-scorer.ts";
import type { commonRows } from "./common-options.ts";
import { defaultEvalLog } from "./eval-log.ts";
import { type EvalOptions, evalTable } from "./eval-options.ts";
import type { RunOutput } from "./run-levels.ts";

/** The configuration, and where it came from as far as that matters for error messages. */
export interface RunConfig {
  config: Config;
  origins: Readonly<Record<string, ConfigOrigin>>;
  files: { project: string | null; user: string | null };
}

/** How the processes of a run are contained. */
export interface ContainmentOptions {
  sandbox: "auto" | SandboxLevel;
  floor: "reduced" | "strict" | null;
  floorFile: string | null;
  network: "none" | "open" | null;
  allowNetwork: string[];
  memoryMb: number | null;
  maxOutputBytes: number;
  killGraceMs: number;
  envKeys: string[];
}

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

/** Of `RunOutput`, what is the same for every command. */
export type CommonOutput = Pick<
  RunOutput,
  "concurrency" | "outputDir" | "store" | "evalLog" | "allowInvalid"
> & { formats: readonly ReportFormat[]; csvRows: "cells" | "subjects" };

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

/** What a flag and the configuration say about containment. */
export function containmentOptions(
  sandbox: "auto" | SandboxLevel | undefined,
  { config, origins, files }: RunConfig,
): ContainmentOptions {
  const { floor, memoryMb, maxOutputBytes, killGraceMs, envKeys } = config.sandbox;
  return {
    sandbox: sandbox ?? "auto",
    floor,
    floorFile: origins["sandbox.floor"] === "project" ? files.project : files.user,
    ...networkOptions(config, origins),
    memoryMb,
    maxOutputBytes,
    killGraceMs,
    envKeys,
  };
}

/** One sentence about the network: a flag beats a file, and a project's file the user's own. */
function networkOptions(
  { sandbox: { network, allowNetwork } }: Config,
  origins: RunConfig["origins"],
): Pick<ContainmentOptions, "network" | "allowNetwork"> {
  const nearness = (key: string) => nearest.indexOf(origins[key] ?? "default");
  const nearer = nearness("sandbox.network") - nearness("sandbox.allowNetwork");
  if (nearer > 0) return { network, allowNetwork: [] };
  return { network: nearer < 0 ? null : network, allowNetwork };
}

const nearest: readonly ConfigOrigin[] = ["default", "user", "project", "flag"];

/** What they say about everything around the cells, at every level. */
export function commonOutput(
  { evalLog, allowInvalid, csvRows = "cells" }: Options<typeof commonRows>,
  { config: { concurrency, defaultFormats, store, ...config } }: RunConfig,
  cwd: string,
): CommonOutput {
  const outputDir = resolve(cwd, config.outputDir);
  return {
    concurrency,
    formats: defaultFormats,
    csvRows,
    outputDir,
    store,
    evalLog: evalLog === undefined ? defaultEvalLog(outputDir) : evalLog && resolve(cwd, evalLog),
    allowInvalid: allowInvalid === true,
  };
}

/** The same for `eval`. */
export function outputOptions(options: EvalOptions, loaded: RunConfig, cwd: string): OutputOptions {
  return {
    ...settledOptions(evalTable, "run", options),
    ...commonOutput(options, loaded, cwd),
  };
}

/** What a plan keeps about models: everything but the key, which comes anew from its place each time. */
export function modelSettings({ llm: { apiKey: _, ...llm }, models, prices }: Config): ModelSettings {
  return { llm, models, prices };
}

function knownScorer(name: string): string {
  const type = canonicalScorerType(name);
  if (type !== null) return type;
  throw new UserError("scorer-invalid", `unknown scorer: ${name}`, {
    hint: didYouMean(name, scorerNames),
  });
}
