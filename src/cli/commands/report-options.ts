import type { Command } from "commander";
import { reportFormats } from "../../contract/format.ts";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows } from "../../engine/common-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const showTable = {
  file: row.text("<file>", "report file of test, eval, run, trigger, agent eval or planbench"),
  subject: row.text("--subject <name>", "show only this skill or model"),
  case: row.text("--case <id>", "show all of this case, passed or not: its transcript, output and facts"),
} satisfies OptionTable;

const convertTable = {
  input: row.text(
    "--input <file>",
    "report file of test, eval, run, trigger, agent eval or planbench (required)",
    {
      required: "eval-skills report convert --input ./reports/eval-result.json",
    },
  ),
  format: row.choice("--format <format>", reportFormats.join(", "), {
    choices: reportFormats,
    default: "markdown",
  }),
  csvRows: commonRows.csvRows,
  output: row.text("--output <file>", "output file", { defaultText: "stdout" }),
} satisfies OptionTable;

const diffTable = {
  a: row.text("<a>", "the earlier report"),
  b: row.text("<b>", "the later report"),
  labelA: row.text("--label-a <text>", "label of the earlier report", { default: "Before" }),
  labelB: row.text("--label-b <text>", "label of the later report", { default: "After" }),
  output: row.text("--output <file>", "Markdown file to write", { defaultText: "stdout" }),
  subjectA: row.text("--subject-a <name>", "only this skill or model of the earlier report"),
  subjectB: row.text("--subject-b <name>", "only this skill or model of the later report"),
  failOnRegression: row.switch(
    "--fail-on-regression",
    "exit 1 if a skill or suite regressed or was removed, 3 if one cannot be compared",
  ),
  failOnInconclusive: row.switch("--fail-on-inconclusive", "also exit 3 if a verdict is inconclusive"),
  failOnSlower: row.switch("--fail-on-slower", "also exit 1 if a latency is worse, 3 if none was tested"),
  failOnErrors: row.switch("--fail-on-errors", "also exit 1 if an error rate is worse, 3 if none was tested"),
  failOnCost: row.switch("--fail-on-cost", "also exit 1 if a cost is worse, 3 if none was tested"),
  minCoverage: row.rate(
    "--min-coverage <share>",
    "minimum share of the earlier cases that must be comparable for a gate",
    {
      defaultText: "minCoverage of the configuration, else 0.8",
    },
  ),
  margin: row.rate("--margin <share>", "a change of at most ± this counts as unchanged", { default: 0.05 }),
  familyWise: row.switch("--family-wise", "correct for the number of skills (Holm)"),
  strict: row.switch("--strict", "for deterministic skills: one broken task, query or case is a regression"),
  seed: row.count("--seed <n>", "seed for statistics", { min: 0, default: 0 }),
} satisfies OptionTable;

const { store, csvRows, formats, outputDir } = commonRows;
const mergeTable = {
  blobs: row.texts("<blobs...>", "files that `--shard` wrote, or folders with them"),
  formats,
  csvRows,
  outputDir,
  store,
} satisfies OptionTable;

export type ShowFlags = Options<typeof showTable>;
export type ConvertFlags = Options<typeof convertTable>;
export type DiffFlags = Options<typeof diffTable>;
export type MergeFlags = Options<typeof mergeTable>;

/** Declares `report show`, `report convert`, `report diff` and `report merge`. */
export function declareReport(program: Command, start: Start): void {
  const report = declareCommand(program, "report", "Show, convert, compare and merge reports", [
    "eval-skills report show ./reports/eval-result.json",
    "eval-skills report convert --input ./reports/eval-result.json --format junit",
    "eval-skills report diff ./reports/v1.json ./reports/v2.json",
  ]).helpCommand("help [command]", "show help for a command");
  const show = declareCommand(report, "show", "Print a report with all failures", [
    "eval-skills report show ./reports/eval-result.json",
    "eval-skills report show ./reports/eval-result.json --subject my_calc",
    "eval-skills report show ./reports/agent-result.json --case fills_the_form",
  ]);
  addAction(show, showTable, start, async (options, io) =>
    (await import("./report-convert.ts")).showCommand(options, io),
  );
  const convert = declareCommand(report, "convert", "Write a report in another format", [
    "eval-skills report convert --input ./reports/eval-result.json",
    "eval-skills report convert --input ./reports/eval-result.json --format html --output ./reports/eval-result.html",
    "eval-skills report convert --input ./reports/eval-result.json --format csv --json",
  ]);
  addAction(convert, convertTable, start, async (options, io) =>
    (await import("./report-convert.ts")).convertCommand(options, io),
  );
  const diff = declareCommand(report, "diff", "Compare two reports case by case", [
    "eval-skills report diff ./reports/v1.json ./reports/v2.json",
    "eval-skills report diff ./reports/v1.json ./reports/v2.json --label-a v1.0 --label-b v2.0 --output ./reports/diff.md",
    "eval-skills report diff ./reports/baseline.json ./reports/latest.json --fail-on-regression",
    "eval-skills report diff ./reports/baseline.json ./reports/latest.json --fail-on-errors --fail-on-inconclusive",
    "eval-skills report diff ./reports/both.json ./reports/both.json --subject-a calc_v1 --subject-b calc_v2 --fail-on-slower",
    "eval-skills report diff ./baseline/trigger-result.json ./reports/trigger-result.json --strict",
    "eval-skills report diff ./baseline/agent-result.json ./reports/agent-result.json --fail-on-regression",
  ]);
  addAction(diff, diffTable, start, async (options, io) =>
    (await import("./report-diff.ts")).diffCommand(options, io),
  );
  const merge = declareCommand(
    report,
    "merge",
    "Join the shards of a run into one report and check its gates",
    [
      "eval-skills report merge ./reports",
      "eval-skills report merge ./blobs/*.ndjson --format json junit github",
    ],
  );
  addAction(merge, mergeTable, start, async (options, io) =>
    (await import("./report-merge.ts")).mergeCommand(options, io),
  );
}
