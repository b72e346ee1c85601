import { type Command, Option } from "commander";
import type { ReportFormat } from "../contract/report-format.ts";
import { mostConcurrency } from "../contract/run-limits.ts";
import { type ContainmentFlags, containmentOptions } from "./containment-options.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import {
  choiceOption,
  countOption,
  numberOption,
  rateOption,
  storeOption,
  textOption,
  textsOption,
} from "./declare-option.ts";
import { formatsOption, oneRunsFlag, rescoreOption, resumeOption, runsOptions } from "./eval-options.ts";
import { parseText } from "./option-values.ts";
import { type OtlpFlags, otlpOption } from "./otlp.ts";

/** What was typed after `planbench`. A flag that was not typed is absent: its default never beats a file. */
export interface PlanbenchFlags extends ContainmentFlags, OtlpFlags {
  bench?: string;
  case?: string[];
  tag?: string[];
  onlyHost?: string;
  route?: "auto" | "forced" | "all";
  limit?: number;
  runs?: number;
  maxRepairs?: number;
  model?: string;
  includePlan?: true;
  minOk0?: number;
  minSuccess?: number;
  maxP95Ms?: number;
  gateOn?: "point" | "lower";
  allowInvalid?: true;
  record?: string;
  replay?: string;
  concurrency?: number;
  dryRun?: true;
  format?: ReportFormat[];
  outputDir?: string;
  /** Null only where a run that is resumed had none. */
  evalLog?: string | null;
  store?: string;
  resume?: string | true;
  rescore?: string;
  seed?: number;
}

/** Declares `planbench`. */
export function declarePlanbench(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "planbench",
    "Measure plans: how often they are valid, at once or after repairs",
    [
      "eval-skills planbench",
      "eval-skills planbench ./bench.yaml --runs 3 --min-ok0 0.7 --min-success 0.9",
      "eval-skills planbench quick --model anthropic/claude-haiku-4-5 --record ./calls",
      "eval-skills planbench --resume",
    ],
  );
  command.argument("[bench]", "file, or id of a bundled bench (default: quick)");
  for (const option of options()) command.addOption(option);
  command.action(async () => {
    const [bench] = command.args;
    const flags = {
      ...oneRunsFlag(command.opts()),
      ...(bench !== undefined && { bench: parseText(bench, "[bench]") }),
    } as PlanbenchFlags;
    await start(command, async (io) => (await import("./planbench.ts")).planbenchCommand(flags, io));
  });
}

const mostRepairs = 100;

function options(): Option[] {
  return [
    textsOption("--case <id...>", "only the cases with these ids"),
    textsOption("--tag <tags...>", "only cases with one of these tags"),
    textOption("--only-host <name>", "only cases for this host: wps, et, wpp …"),
    choiceOption("--route <auto|forced|all>", "only cases routed so (default: all)", [
      "auto",
      "forced",
      "all",
    ]),
    countOption("--limit <n>", "only the first of the cases that are left", 1),
    ...runsOptions("samples of every case (default: what the bench says)"),
    countOption("--max-repairs <n>", "most repairs of a plan (default: what the bench says)", 0, mostRepairs),
    textOption("--model <id>", "measure this model instead: <provider>/<model>, or mock"),
    new Option("--include-plan", "reports hold the last plan of every sample"),
    rateOption("--min-ok0 <rate>", "gate: least share of samples that are ok at once"),
    rateOption("--min-success <rate>", "gate: least share of samples that are ok in the end"),
    numberOption("--max-p95-ms <ms>", "gate: longest time of a sample, at the 95th percentile", 0),
    choiceOption("--gate-on <point|lower>", "compare the value or its lower bound (default: point)", [
      "point",
      "lower",
    ]),
    new Option("--allow-invalid", "samples without an outcome do not cause exit 3"),
    new Option("--dry-run", "check and count everything, run nothing"),
    textOption("--record <dir>", "record model calls in this folder"),
    textOption("--replay <dir>", "answer model calls from this folder, without network"),
    countOption("--concurrency <n>", "parallel samples (default: 4)", 1, mostConcurrency),
    ...containmentOptions(),
    formatsOption(),
    textOption("--output-dir <dir>", "report folder (default: ./reports)"),
    textOption("--eval-log <file>", "line log (default: <output-dir>/.eval.jsonl)"),
    storeOption(),
    resumeOption(),
    rescoreOption(),
    countOption("--seed <n>", "seed of the statistics (default: 0)", 0),
    otlpOption(),
  ];
}
