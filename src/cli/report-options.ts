import type { Command } from "commander";
import type { ReportFormat } from "../contract/report-format.ts";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, countOption, textOption } from "./declare-option.ts";
import { parseText } from "./option-values.ts";

const convertFormats = ["markdown", "html", "csv", "junit"] as const satisfies readonly ReportFormat[];
type ConvertFormat = (typeof convertFormats)[number];

/** What was typed after `report convert`. */
export interface ConvertFlags {
  input: string;
  format: ConvertFormat;
  output?: string | undefined;
}

/** What was typed after `report diff`. */
export interface DiffFlags {
  a: string;
  b: string;
  labelA: string;
  labelB: string;
  output?: string | undefined;
  failOnRegression: boolean;
  strict: boolean;
  seed: number;
}

/** Declares `report convert` and `report diff`. */
export function declareReport(program: Command, start: Start): void {
  const report = declareCommand(program, "report", "Convert and compare reports", [
    "eval-skills report convert --input ./reports/eval-result.json --format junit",
    "eval-skills report diff ./reports/v1.json ./reports/v2.json",
  ]).helpCommand("help [command]", "show the help of a command");
  declareConvert(report, start);
  declareDiff(report, start);
}

function declareConvert(report: Command, start: Start): void {
  const command = declareCommand(report, "convert", "Write a report in another format", [
    "eval-skills report convert --input ./reports/eval-result.json",
    "eval-skills report convert --input ./reports/eval-result.json --format html --output ./reports/eval-result.html",
    "eval-skills report convert --input ./reports/eval-result.json --format csv --json",
  ]);
  command
    .addOption(
      textOption("--input <file>", "report of eval, run, trigger, agent eval or planbench (required)"),
    )
    .addOption(
      choiceOption("--format <format>", `${convertFormats.join(", ")} (default: markdown)`, convertFormats),
    )
    .addOption(textOption("--output <file>", "where to write it (default: stdout)"));
  command.action(async () => {
    const flags = readConvertFlags(command.opts<Partial<ConvertFlags>>());
    await start(command, async (io) => (await import("./report-convert.ts")).convertCommand(flags, io));
  });
}

function readConvertFlags({ input, format = "markdown", output }: Partial<ConvertFlags>): ConvertFlags {
  if (input !== undefined) return { input, format, output };
  throw new UserError("usage", "--input is missing", {
    hint: "eval-skills report convert --input ./reports/eval-result.json",
  });
}

function declareDiff(report: Command, start: Start): void {
  const command = declareCommand(
    report,
    "diff",
    "Compare two reports, task by task, query by query or case by case",
    [
      "eval-skills report diff ./reports/v1.json ./reports/v2.json",
      "eval-skills report diff ./reports/v1.json ./reports/v2.json --label-a v1.0 --label-b v2.0 --output ./reports/diff.md",
      "eval-skills report diff ./reports/baseline.json ./reports/latest.json --fail-on-regression",
      "eval-skills report diff ./baseline/trigger-result.json ./reports/trigger-result.json --strict",
      "eval-skills report diff ./baseline/agent-result.json ./reports/agent-result.json --fail-on-regression",
    ],
  );
  command
    .argument("<a>", "the earlier report")
    .argument("<b>", "the later report")
    .addOption(textOption("--label-a <text>", "name of the earlier one (default: Before)"))
    .addOption(textOption("--label-b <text>", "name of the later one (default: After)"))
    .addOption(textOption("--output <file>", "where to write the Markdown (default: stdout)"))
    .option("--fail-on-regression", "exit 1 if a skill or suite has regressed or was removed")
    .option("--strict", "one broken task, query or case is a regression")
    .addOption(countOption("--seed <n>", "seed of the statistics (default: 0)", 0));
  command.action(async (a: string, b: string) => {
    const { labelA = "Before", labelB = "After", output, ...typed } = command.opts<Partial<DiffFlags>>();
    const { failOnRegression = false, strict = false, seed = 0 } = typed;
    const files = { a: parseText(a, "<a>"), b: parseText(b, "<b>") };
    const flags: DiffFlags = { ...files, labelA, labelB, output, failOnRegression, strict, seed };
    await start(command, async (io) => (await import("./report-diff.ts")).diffCommand(flags, io));
  });
}
