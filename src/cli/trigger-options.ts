import { type Command, Option } from "commander";
import type { ReportFormat } from "../contract/report-format.ts";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, numberOption, rateOption, textOption, textsOption } from "./declare-option.ts";
import { formatsOption, oneRunsFlag, rescoreOption, resumeOption, runsOptions } from "./eval-options.ts";
import { type JudgeFlags, judgeOptions } from "./judge-options.ts";
import { parseText } from "./option-values.ts";
import { type OtlpFlags, otlpOption } from "./otlp.ts";
import { parseRate } from "./strict-numbers.ts";
import { declareCalibrate } from "./trigger-calibrate-options.ts";

/** What was typed after `trigger`. A flag that was not typed is absent: its default never beats a file. */
export interface TriggerFlags extends JudgeFlags, OtlpFlags {
  skills: string[];
  set?: string[];
  case?: string[];
  runs?: number;
  threshold?: number;
  minRecall?: number;
  minPrecision?: number;
  minMcc?: number;
  gateOn?: "point" | "lower";
  requireTriggering?: true;
  allowInvalid?: true;
  allowInconclusive?: true;
  dryRun?: true;
  format?: ReportFormat[];
  outputDir?: string;
  /** Null only where a run that is resumed had none. */
  evalLog?: string | null;
  /** The run to continue; true for the newest that can be. */
  resume?: string | true;
  rescore?: string;
}

/** Declares `trigger`. What runs it is loaded only when it is called. */
export function declareTrigger(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "trigger",
    "Test whether skills load when they should, and only then",
    [
      "eval-skills trigger ./skills/refactor",
      "eval-skills trigger ./skills --judge-model anthropic/claude-haiku-4-5 --runs 8 --min-recall 0.9",
      "eval-skills trigger ./skills --judge catalog --judge-model gpt-4o --dry-run",
      "eval-skills trigger calibrate --gold ./gold.jsonl --judge-model gpt-4o",
    ],
  );
  command.argument(
    "[skills...]",
    "files or directories of skills (required, but not with --resume or --rescore)",
  );
  for (const option of [...triggerOptions(), ...judgeOptions()]) command.addOption(option);
  declareCalibrate(command, start);
  command.action(async () => {
    const flags = readTriggerFlags(command.args, command.opts());
    await start(command, async (io) => (await import("./trigger.ts")).triggerCommand(flags, io));
  });
}

/** Reads what was typed, and refuses what cannot be meant. */
function readTriggerFlags(skills: readonly string[], typed: Record<string, unknown>): TriggerFlags {
  const flags = { ...oneRunsFlag(typed), skills: skills.map((path) => parseText(path, "<skills...>")) };
  if (skills.length === 0 && typed.resume === undefined && typed.rescore === undefined)
    throw new UserError("usage", "no skill is named", { hint: "eval-skills trigger ./skills/my_skill" });
  return flags as TriggerFlags;
}

function triggerOptions(): Option[] {
  return [
    textsOption("--set <files...>", "further queries: a JSON list, or an evals.json"),
    textsOption("--case <id...>", "only the queries with these ids"),
    ...runsOptions("answers to every query; 4 or more decide by an interval (default: 1)"),
    new Option("--threshold <p>", "share of yes that decides, between 0 and 1 (default: 0.5)").argParser(
      threshold,
    ),
    rateOption("--min-recall <rate>", "gate: least recall, 0 to 1"),
    rateOption("--min-precision <rate>", "gate: least precision, 0 to 1"),
    numberOption("--min-mcc <value>", "gate: least Matthews correlation, -1 to 1", -1, 1),
    choiceOption("--gate-on <point|lower>", "compare the value or its lower bound (default: point)", [
      "point",
      "lower",
    ]),
    new Option("--require-triggering", "a skill whose tests are skipped is a failure"),
    new Option("--allow-invalid", "queries without a verdict do not cause exit 3"),
    new Option("--allow-inconclusive", "undecided intervals do not cause exit 3"),
    new Option("--dry-run", "count judgments and estimate their cost, ask nobody"),
    formatsOption(),
    textOption("--output-dir <dir>", "report folder (default: ./reports)"),
    textOption("--eval-log <file>", "line log (default: <output-dir>/.eval.jsonl)"),
    resumeOption(),
    rescoreOption(),
    otlpOption(),
  ];
}

function threshold(text: string): number {
  const value = parseRate(text, "--threshold");
  if (value > 0 && value < 1) return value;
  throw new UserError("usage", `--threshold takes a number between 0 and 1, not ${text}`);
}
