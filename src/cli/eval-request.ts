import { resolve } from "node:path";
import { didYouMean } from "../base/nearest.ts";
import type { ModelSettings } from "../contract/config.ts";
import { UserError } from "../contract/user-error.ts";
import { defaultEvalLog } from "../run/eval-log.ts";
import type { OutputOptions, PlanOptions } from "../run/request.ts";
import { canonicalScorerType, scorerNames } from "../scorers/choose-scorer.ts";
import type { LoadedConfig } from "../spec/load-config.ts";
import type { EvalFlags } from "./eval-options.ts";

/** What the flags and the configuration say about the cells of a run. */
export function planOptions(
  flags: EvalFlags,
  { config, origins, files }: LoadedConfig,
  cwd: string,
): PlanOptions {
  const { sandbox } = config;
  if (flags.benchmark !== undefined && flags.tasks !== undefined) {
    throw new UserError("usage", "--tasks takes the place of --benchmark; give one of them");
  }
  return {
    cwd,
    skills: flags.skills ?? [],
    benchmark: flags.tasks === undefined ? (flags.benchmark ?? "coding-easy") : null,
    tasks: flags.tasks ?? null,
    benchmarksDir: flags.benchmarksDir ?? "./benchmarks",
    taskTags: flags.taskTag ?? [],
    cases: flags.case ?? [],
    runs: flags.runs ?? 1,
    retries: flags.retries ?? 0,
    evaluator: evaluatorOf(flags.evaluator ?? "exact"),
    timeoutMs: config.timeoutMs,
    isTimeoutTyped: flags.timeout !== undefined,
    seed: flags.seed ?? 0,
    sandbox: flags.sandbox ?? "auto",
    floor: sandbox.floor,
    floorFile: origins["sandbox.floor"] === "project" ? files.project : files.user,
    network: sandbox.network,
    allowNetwork: sandbox.allowNetwork,
    memoryMb: sandbox.memoryMb,
    maxOutputBytes: sandbox.maxOutputBytes,
    killGraceMs: sandbox.killGraceMs,
    envKeys: sandbox.envKeys,
    models: modelSettings(config),
  };
}

/** What a plan keeps about models: everything but the key, which comes anew from its place each time. */
function modelSettings({
  llm: { apiKey: _, ...llm },
  models,
  prices,
}: LoadedConfig["config"]): ModelSettings {
  return { llm, models, prices };
}

/** What they say about everything around the cells. */
export function outputOptions(flags: EvalFlags, { config }: LoadedConfig, cwd: string): OutputOptions {
  const outputDir = resolve(cwd, config.outputDir);
  return {
    concurrency: config.concurrency,
    formats: config.defaultFormats,
    outputDir,
    store: config.store,
    evalLog: flags.evalLog === undefined ? defaultEvalLog(outputDir) : resolve(cwd, flags.evalLog),
    minCompletion: flags.minCompletion ?? 0.7,
    gateOn: flags.gateOn ?? "point",
    exitOnFail: flags.exitOnFail === true,
    allowInvalid: flags.allowInvalid === true,
    requireTriggering: flags.requireTriggering === true,
  };
}

/** Flags that decide the cells of a run or how they end. */
const planFlags = [
  "skills",
  "benchmark",
  "tasks",
  "benchmarksDir",
  "taskTag",
  "case",
  "timeout",
  "retries",
  "runs",
  "evaluator",
  "seed",
  "sandbox",
  "network",
  "allowNetwork",
  "record",
  "replay",
  "dryRun",
] as const satisfies readonly (keyof EvalFlags)[];

/** A resumed run does what it was planned to do; a flag that says otherwise is a mistake. */
export function refusePlanFlags(flags: EvalFlags): void {
  const typed = planFlags.find((flag) => flags[flag] !== undefined);
  if (typed === undefined) return;
  const name = typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const problem =
    typed === "dryRun"
      ? "a resumed run has been checked already: --dry-run and --resume exclude each other"
      : `--${name} would change the plan of a run that is resumed`;
  throw new UserError("usage", problem, {
    hint: "leave it out, or start a new run without --resume",
  });
}

function evaluatorOf(name: string): string {
  const type = canonicalScorerType(name);
  if (type !== null) return type;
  throw new UserError("scorer-invalid", `there is no scorer ${name}`, {
    hint: didYouMean(name, scorerNames),
  });
}
