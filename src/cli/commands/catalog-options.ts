import type { Command } from "commander";
import { type Options, type OptionTable, row, withoutRows } from "../../contract/option-table.ts";
import { judgeRows, judgmentRuns } from "../../levels/trigger/options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

/** Options of both catalog commands. */
const catalogRows = {
  dir: row.text("[dir]", "folder that contains the skills", { default: "./skills" }),
  runs: judgmentRuns,
  maxInvalid: row.rate(
    "--max-invalid <share>",
    "accept at most this share of queries without an answer per skill, 0 to 1",
    { default: 0 },
  ),
  ...withoutRows(judgeRows, "catalog"), // the folder itself is the catalog
} satisfies OptionTable;

const reportTable = {
  ...catalogRows,
  offTopic: row.text("--off-topic <file>", "file of requests that no skill should handle, one per line", {
    defaultText: "built-in list",
  }),
} satisfies OptionTable;

const diffTable = {
  ...catalogRows,
  base: row.text("--base <git ref|dir>", "git ref or folder to compare with (required)", {
    required: "eval-skills catalog diff ./skills --base origin/main",
  }),
  failOnSteal: row.switch("--fail-on-steal", "exit 1 if a query moved from one skill to another"),
  output: row.text("--output <file>", "also write the comparison as Markdown"),
} satisfies OptionTable;

export type CatalogFlags = Options<typeof catalogRows>;
export type CatalogReportFlags = Options<typeof reportTable>;
export type CatalogDiffFlags = Options<typeof diffTable>;

/** Declares `catalog report` and `catalog diff`. */
export function declareCatalog(program: Command, start: Start): void {
  const catalog = declareCommand(program, "catalog", "Check how the skills of a catalog affect each other", [
    "eval-skills catalog report ./skills",
    "eval-skills catalog diff ./skills --base origin/main --fail-on-steal",
  ]).helpCommand("help [command]", "show help for a command");
  const report = declareCommand(
    catalog,
    "report",
    "Report which skills collide and take each other's requests",
    [
      "eval-skills catalog report ./skills",
      "eval-skills catalog report ./skills --off-topic ./small-talk.txt --verbose",
      "eval-skills catalog report ./skills --judge catalog --judge-model gpt-4o --json",
    ],
  );
  addAction(report, reportTable, start, async (options, io) =>
    (await import("./catalog.ts")).catalogReportCommand(options, io),
  );
  const diff = declareCommand(
    catalog,
    "diff",
    "Show how a change to skills affects which skill each request gets",
    [
      "eval-skills catalog diff ./skills --base origin/main",
      "eval-skills catalog diff ./skills --base origin/main --fail-on-steal --output ./routing-diff.md",
      "eval-skills catalog diff ./skills --base ./skills-before --json",
    ],
  );
  addAction(diff, diffTable, start, async (options, io) =>
    (await import("./catalog.ts")).catalogDiffCommand(options, io),
  );
}
