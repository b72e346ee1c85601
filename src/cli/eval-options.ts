import { Option } from "commander";
import type { Config } from "../contract/config.ts";
import { type ReportFormat, reportFormats } from "../contract/report-format.ts";
import { mostConcurrency, mostRetries, mostTrials } from "../contract/run-limits.ts";
import { longestTimerMs } from "../contract/timer.ts";
import { UserError } from "../contract/user-error.ts";
import { type ContainmentFlags, containmentOptions } from "./containment-options.ts";
import {
  choiceOption,
  countOption,
  rateOption,
  storeOption,
  textOption,
  textsOption,
} from "./declare-option.ts";
import { withChoices } from "./known-values.ts";
import { parseChoices, parseText } from "./option-values.ts";
import { type OtlpFlags, otlpOption } from "./otlp.ts";
import { parseCount } from "./strict-numbers.ts";
import { type ToolHostFlags, toolHostOption } from "./tool-host-option.ts";
import { type RunConfigFlags, typedRunConfig } from "./typed-run-config.ts";

/** What was typed after `eval`. A flag that was not typed is absent: its default never beats a file. */
export interface EvalFlags extends ContainmentFlags, OtlpFlags, ToolHostFlags {
  skills?: string[];
  benchmark?: string;
  tasks?: string;
  taskTag?: string[];
  case?: string[];
  concurrency?: number;
  timeout?: number;
  retries?: number;
  runs?: number;
  evaluator?: string;
  format?: ReportFormat[];
  outputDir?: string;
  exitOnFail?: true;
  minCompletion?: number;
  gateOn?: "point" | "lower";
  allowInvalid?: true;
  dryRun?: true;
  requireTriggering?: true;
  /** Null only where a run that is resumed had none. */
  evalLog?: string | null;
  record?: string;
  replay?: string;
  benchmarksDir?: string;
  store?: string;
  /** The run to continue; true for the newest that can be. */
  resume?: string | true;
  rescore?: string;
  seed?: number;
}

/** Reads the options that were typed, and refuses what cannot be meant. */
export function readEvalFlags(typed: Record<string, unknown>): EvalFlags {
  const flags = oneRunsFlag(typed);
  if (flags.skills === undefined && flags.resume === undefined && flags.rescore === undefined)
    throw new UserError("usage", "--skills is missing", {
      hint: "eval-skills eval --skills ./skills/my_skill",
    });
  return flags as EvalFlags;
}

/** Folds the aliases of `--runs` into it. */
export function oneRunsFlag(typed: Record<string, unknown>): Record<string, unknown> {
  const { repeats, repeat, samples, ...flags } = typed;
  const runs = new Set([flags.runs, repeats, repeat, samples].filter((value) => value !== undefined));
  if (runs.size > 1)
    throw new UserError("usage", "--runs was given twice with different values", {
      hint: "--repeats, --repeat and --samples mean --runs too",
    });
  const [value] = runs;
  return { ...flags, ...(value !== undefined && { runs: value }) };
}

/** The part of the configuration that was typed, for `loadConfig`. */
export function typedConfig(flags: RunConfigFlags & ContainmentFlags): ConfigFlags {
  const { network, allowNetwork } = flags;
  const { sandbox: _, ...typed } = typedRunConfig(flags);
  return {
    ...typed,
    ...((network !== undefined || allowNetwork !== undefined) && {
      sandbox: {
        ...(network !== undefined && { network }),
        ...(allowNetwork !== undefined && { allowNetwork }),
      },
    }),
  };
}

type ConfigFlags = Partial<Omit<Config, "sandbox">> & { sandbox?: Partial<Config["sandbox"]> };

/** Every option of `eval`, parsed strictly; none has a default. */
export function evalOptions(): Option[] {
  return [
    textsOption(
      "--skills <paths...>",
      "files or directories of skills (required, but not with --resume or --rescore)",
    ),
    textOption("--benchmark <id|path>", "built-in id or file (default: coding-easy)"),
    textOption("--tasks <file>", "tasks file, replaces the benchmark"),
    textsOption("--task-tag <tags...>", "only tasks with one of these tags"),
    textsOption("--case <id...>", "only these tasks"),
    countOption("--concurrency <n>", "parallel cells (default: 4)", 1, mostConcurrency),
    countOption("--timeout <ms>", "deadline of one attempt (default: 30000)", 1, longestTimerMs),
    countOption("--retries <n>", "retries on error and timeout (default: 0)", 0, mostRetries),
    ...runsOptions("trials of every task (default: 1)"),
    textOption("--evaluator <type>", "scorer when the task names none (default: exact)"),
    formatsOption(),
    textOption("--output-dir <dir>", "report folder (default: ./reports)"),
    new Option("--exit-on-fail", "exit 1 if a skill is below --min-completion, or a trigger query failed"),
    rateOption("--min-completion <rate>", "the gate, 0 to 1 (default: 0.7)"),
    choiceOption("--gate-on <point|lower>", "compare the value or its lower bound (default: point)", [
      "point",
      "lower",
    ]),
    new Option("--allow-invalid", "invalid results do not cause exit 3"),
    new Option("--dry-run", "check and count everything, run nothing"),
    new Option("--require-triggering", "a skill whose triggering pass is skipped is a failure"),
    textOption("--eval-log <file>", "line log (default: <output-dir>/.eval.jsonl)"),
    ...containmentOptions(),
    toolHostOption(),
    textOption("--record <dir>", "record model calls of judges in this folder"),
    textOption("--replay <dir>", "answer model calls from this folder, without network"),
    textOption("--benchmarks-dir <dir>", "more benchmarks (default: ./benchmarks)"),
    storeOption(),
    resumeOption(),
    rescoreOption(),
    countOption("--seed <n>", "seed of the statistics (default: 0)", 0),
    otlpOption(),
  ];
}

/** In which formats a run is reported. */
export function formatsOption(): Option {
  const option = new Option(
    "--format <formats...>",
    "json, ndjson, markdown, html, csv, junit (default: json markdown)",
  );
  return withChoices(option.argParser(parseChoices("--format", reportFormats)), reportFormats);
}

/** How many trials, with the names other tools have for it. */
export function runsOptions(description: string): Option[] {
  const runs = (text: string) => parseCount(text, "--runs", 1, mostTrials);
  return [
    new Option("--runs <n>", description).argParser(runs),
    ...runsAliases.map((name) => new Option(`--${name} <n>`, "alias of --runs").argParser(runs).hideHelp()),
  ];
}

export function rescoreOption(): Option {
  return new Option(
    "--rescore <runId>",
    "score the stored answers of a run again, without running anything",
  ).argParser((value) => parseText(value, "--rescore"));
}

export function resumeOption(): Option {
  return new Option("--resume [runId]", "continue a run (default: the newest that can be)").argParser(
    (value) => parseText(value, "--resume"),
  );
}

const runsAliases = ["repeats", "repeat", "samples"] as const;
