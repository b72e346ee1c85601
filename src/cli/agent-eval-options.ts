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
import { withChoices } from "./known-values.ts";
import { parseChoices, parseText } from "./option-values.ts";
import { type OtlpFlags, otlpOption } from "./otlp.ts";
import { type ToolHostFlags, toolHostOption } from "./tool-host-option.ts";

const levels = ["L0", "L1", "L2"] as const;

/** What was typed after `agent eval`. A flag that was not typed is absent: its default never beats a file. */
export interface AgentEvalFlags extends ContainmentFlags, OtlpFlags, ToolHostFlags {
  suites: string[];
  case?: string[];
  tag?: string[];
  level?: (typeof levels)[number][];
  model?: string[];
  runs?: number;
  concurrency?: number;
  baseline?: "no-skills";
  judgeModel?: string;
  minPassRate?: number;
  minTriggerPrecision?: number;
  minTriggerRecall?: number;
  minFinalJson?: number;
  gateOn?: "point" | "lower";
  allowInvalid?: true;
  record?: string;
  replay?: string;
  maxCost?: number;
  dryRun?: true;
  format?: ReportFormat[];
  outputDir?: string;
  runsDir?: string;
  /** Null only where a run that is resumed had none. */
  evalLog?: string | null;
  store?: string;
  resume?: string | true;
  rescore?: string;
  seed?: number;
  schema?: string[];
}

/** Declares `agent eval`. */
export function declareAgentEval(agent: Command, start: Start): void {
  const command = declareCommand(
    agent,
    "eval",
    "Run cases with an agent or a prompt, and grade how it worked",
    [
      "eval-skills agent eval ./.agent/evals/smoke",
      "eval-skills agent eval ./skills/contract-review",
      "eval-skills agent eval ./.agent/evals --tag security --format json junit",
      "eval-skills agent eval ./.agent/evals/triggers --model anthropic/claude-haiku-4-5 --runs 5 --record ./calls",
      "eval-skills agent eval ./.agent/evals/triggers --model anthropic/claude-haiku-4-5 --runs 5 --replay ./calls",
    ],
  );
  command.argument(
    "[suites...]",
    "folders or files of cases, or skills that have some (default: .agent/evals)",
  );
  for (const option of options()) command.addOption(option);
  command.action(async () => {
    const flags = readFlags(command.args, command.opts());
    await start(command, async (io) => (await import("./agent-eval.ts")).agentEvalCommand(flags, io));
  });
}

function readFlags(suites: readonly string[], typed: Record<string, unknown>): AgentEvalFlags {
  const flags = { ...oneRunsFlag(typed), suites: suites.map((path) => parseText(path, "<suites...>")) };
  return flags as AgentEvalFlags;
}

function options(): Option[] {
  return [
    textsOption("--case <id...>", "only the cases with these ids"),
    textsOption("--tag <tags...>", "only cases with one of these tags"),
    withChoices(
      new Option("--level <levels...>", "L0, L1, L2 (default: L0 L1, and L2 with --model)").argParser(
        parseChoices("--level", levels),
      ),
      levels,
    ),
    textsOption("--model <id...>", "real models for cases without a script: <provider>/<model>"),
    ...runsOptions("trials of every case (default: what the case says)"),
    countOption("--concurrency <n>", "parallel runs (default: 4)", 1, mostConcurrency),
    choiceOption("--baseline <no-skills>", "run each case of a real model also without skills", [
      "no-skills",
    ]),
    textOption("--judge-model <id>", "the model that judges rubrics: <provider>/<model>"),
    rateOption("--min-pass-rate <rate>", "gate: least share of passed runs"),
    rateOption("--min-trigger-precision <rate>", "gate: least precision of selections"),
    rateOption("--min-trigger-recall <rate>", "gate: least recall of selections"),
    rateOption("--min-final-json <rate>", "gate: least share of turns that end in valid JSON"),
    choiceOption("--gate-on <point|lower>", "compare the value or its lower bound (default: point)", [
      "point",
      "lower",
    ]),
    new Option("--allow-invalid", "runs without a verdict do not cause exit 3"),
    new Option("--dry-run", "check and count everything, run nothing"),
    textOption("--record <dir>", "record model calls in this folder"),
    textOption("--replay <dir>", "answer model calls from this folder, without network"),
    numberOption("--max-cost <usd>", "what all model calls together may cost", 0),
    ...containmentOptions(),
    formatsOption(),
    textOption("--output-dir <dir>", "report folder (default: ./reports)"),
    textOption("--runs-dir <dir>", "where run directories are made (default: .agent/runs)"),
    textOption("--eval-log <file>", "line log (default: <output-dir>/.eval.jsonl)"),
    storeOption(),
    resumeOption(),
    rescoreOption(),
    countOption("--seed <n>", "seed of the statistics (default: 0)", 0),
    textsOption("--schema <name=file...>", "where schemas of outputs lie that skills name"),
    toolHostOption(),
    otlpOption(),
  ];
}
