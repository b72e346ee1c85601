import { Option } from "commander";
import type { Config } from "../contract/config.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import { type SandboxLevel, sandboxLevels } from "../contract/sandbox-level.ts";
import { longestTimerMs } from "../contract/timer.ts";
import { UserError } from "../contract/user-error.ts";
import { withChoices } from "./known-values.ts";
import { listOf, parseChoice, parseChoices, parseText } from "./option-values.ts";
import { parseCount, parseRate } from "./strict-numbers.ts";

/** What was typed after `eval`. A flag that was not typed is absent: its default never beats a file. */
export interface EvalFlags {
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
  evalLog?: string;
  sandbox?: "auto" | SandboxLevel;
  network?: "none" | "open";
  allowNetwork?: string[];
  record?: string;
  replay?: string;
  benchmarksDir?: string;
  store?: string;
  /** The run to continue; true for the newest that can be. */
  resume?: string | true;
  seed?: number;
}

/** Reads the options that were typed, and refuses what cannot be meant. */
export function readEvalFlags(typed: Record<string, unknown>): EvalFlags {
  const flags = oneRunsFlag(typed);
  if (flags.skills === undefined && flags.resume === undefined)
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
export function typedConfig(flags: EvalFlags): ConfigFlags {
  const { concurrency, timeout, outputDir, format, store, network, allowNetwork } = flags;
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(outputDir !== undefined && { outputDir }),
    ...(format !== undefined && { defaultFormats: format }),
    ...(store !== undefined && { store }),
    ...((network !== undefined || allowNetwork !== undefined) && {
      sandbox: {
        ...(network !== undefined && { network }),
        ...(allowNetwork !== undefined && { allowNetwork }),
      },
    }),
  };
}

type ConfigFlags = Partial<Omit<Config, "sandbox">> & { sandbox?: Partial<Config["sandbox"]> };

// Not taken from contract/config.ts, which would load zod for `--help`; the compiler keeps the list true.
const formats = Object.keys({
  json: 0,
  markdown: 0,
  html: 0,
  csv: 0,
  junit: 0,
} satisfies Record<ReportFormat, 0>) as ReportFormat[];

/** Every option of `eval`, parsed strictly; none has a default. */
export function evalOptions(): Option[] {
  const runs = (text: string) => parseCount(text, "--runs", 1, 1000);
  return [
    texts("--skills <paths...>", "files or directories of skills (required, but not with --resume)"),
    text("--benchmark <id|path>", "built-in id or file (default: coding-easy)"),
    text("--tasks <file>", "tasks file, replaces the benchmark"),
    texts("--task-tag <tags...>", "only tasks with one of these tags"),
    texts("--case <id...>", "only these tasks"),
    count("--concurrency <n>", "parallel cells (default: 4)", 1, 1024),
    count("--timeout <ms>", "deadline of one attempt (default: 30000)", 1, longestTimerMs),
    count("--retries <n>", "retries on error and timeout (default: 0)", 0, 20),
    new Option("--runs <n>", "trials of every task (default: 1)").argParser(runs),
    ...runsAliases.map((name) => new Option(`--${name} <n>`, "alias of --runs").argParser(runs).hideHelp()),
    text("--evaluator <type>", "scorer when the task names none (default: exact)"),
    withChoices(
      new Option(
        "--format <formats...>",
        "json, markdown, html, csv, junit (default: json markdown)",
      ).argParser(parseChoices("--format", formats)),
      formats,
    ),
    text("--output-dir <dir>", "report folder (default: ./reports)"),
    new Option("--exit-on-fail", "exit 1 if a skill is below --min-completion"),
    new Option("--min-completion <rate>", "the gate, 0 to 1 (default: 0.7)").argParser((value) =>
      parseRate(value, "--min-completion"),
    ),
    choice("--gate-on <point|lower>", "compare the value or its lower bound (default: point)", [
      "point",
      "lower",
    ]),
    new Option("--allow-invalid", "invalid results do not cause exit 3"),
    new Option("--dry-run", "check and count everything, run nothing"),
    new Option(
      "--require-triggering",
      "a skipped triggering pass is a failure (this version always skips it)",
    ),
    text("--eval-log <file>", "line log (default: <output-dir>/.eval.jsonl)"),
    choice("--sandbox <level>", `${["auto", ...sandboxLevels].join(", ")} (default: auto)`, [
      "auto",
      ...sandboxLevels,
    ]),
    choice("--network <none|open>", "network of skill processes (default: open, none under strict)", [
      "none",
      "open",
    ]),
    texts("--allow-network <hosts...>", "only these, each host[:port], through the proxy"),
    text("--record <dir>", "record model calls of judges in this folder"),
    text("--replay <dir>", "answer model calls from this folder, without network"),
    text("--benchmarks-dir <dir>", "more benchmarks (default: ./benchmarks)"),
    text("--store <path>", "where runs are kept (default: ./eval-skills.db)"),
    new Option("--resume [runId]", "continue a run (default: the newest that can be)").argParser((value) =>
      parseText(value, "--resume"),
    ),
    count("--seed <n>", "seed of the statistics (default: 0)", 0),
  ];
}

const runsAliases = ["repeats", "repeat", "samples"] as const;

function flagOf(declaration: string): string {
  return declaration.split(" ", 1)[0] ?? declaration;
}

function text(declaration: string, description: string): Option {
  return new Option(declaration, description).argParser((value) => parseText(value, flagOf(declaration)));
}

function texts(declaration: string, description: string): Option {
  return new Option(declaration, description).argParser(
    listOf((value) => parseText(value, flagOf(declaration))),
  );
}

function count(declaration: string, description: string, min: number, max?: number): Option {
  return new Option(declaration, description).argParser((value) =>
    parseCount(value, flagOf(declaration), min, max),
  );
}

function choice(declaration: string, description: string, choices: readonly string[]): Option {
  const option = new Option(declaration, description).argParser((value) =>
    parseChoice(value, flagOf(declaration), choices),
  );
  return withChoices(option, choices);
}
