import { type Command, Option } from "commander";
import { mostTrials } from "../contract/run-limits.ts";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, textOption } from "./declare-option.ts";
import { type JudgeFlags, judgeOptions } from "./judge-options.ts";
import { parseText } from "./option-values.ts";

/** What was typed after either command over a catalog. */
export interface CatalogFlags extends Omit<JudgeFlags, "catalog"> {
  /** The folder of the skills: they are the catalog. */
  dir: string;
  runs?: number;
  allowInvalid?: true;
}

/** What was typed after `catalog report`. */
export interface CatalogReportFlags extends CatalogFlags {
  offTopic?: string;
}

/** What was typed after `catalog diff`. */
export interface CatalogDiffFlags extends CatalogFlags {
  base: string;
  failOnSteal?: true;
  output?: string;
}

/** Declares `catalog report` and `catalog diff`. */
export function declareCatalog(program: Command, start: Start): void {
  const catalog = declareCommand(
    program,
    "catalog",
    "See what skills that are installed together do to each other",
    [
      "eval-skills catalog report ./skills",
      "eval-skills catalog diff ./skills --base origin/main --fail-on-steal",
    ],
  ).helpCommand("help [command]", "show the help of a command");
  declareCatalogReport(catalog, start);
  declareCatalogDiff(catalog, start);
}

function declareCatalogReport(catalog: Command, start: Start): void {
  const command = declareCommand(
    catalog,
    "report",
    "Tell which skills collide and take each other's requests",
    [
      "eval-skills catalog report ./skills",
      "eval-skills catalog report ./skills --off-topic ./small-talk.txt --verbose",
      "eval-skills catalog report ./skills --judge catalog --judge-model gpt-4o --json",
    ],
  );
  command
    .argument("[dir]", "folder with the skills (default: ./skills)")
    .addOption(
      textOption("--off-topic <file>", "requests meant for no skill, one a line (default: our own)"),
    );
  for (const option of sharedOptions()) command.addOption(option);
  command.action(async (dir: string | undefined) => {
    const flags = { ...command.opts<Omit<CatalogReportFlags, "dir">>(), dir: folderOf(dir) };
    await start(command, async (io) => (await import("./catalog-report.ts")).catalogReportCommand(flags, io));
  });
}

function declareCatalogDiff(catalog: Command, start: Start): void {
  const command = declareCommand(
    catalog,
    "diff",
    "Tell what an edit of skills did to the requests of all of them",
    [
      "eval-skills catalog diff ./skills --base origin/main",
      "eval-skills catalog diff ./skills --base origin/main --fail-on-steal --output ./routing-diff.md",
      "eval-skills catalog diff ./skills --base ./skills-before --json",
    ],
  );
  command
    .argument("[dir]", "folder with the skills (default: ./skills)")
    .addOption(textOption("--base <git ref|dir>", "the state to compare with (required)"))
    .addOption(new Option("--fail-on-steal", "exit 1 if a query moved from one skill to another"))
    .addOption(textOption("--output <file>", "also write the comparison as Markdown"));
  for (const option of sharedOptions()) command.addOption(option);
  command.action(async (dir: string | undefined) => {
    const { base, ...typed } = command.opts<Partial<CatalogDiffFlags>>();
    if (base === undefined)
      throw new UserError("usage", "--base is missing", {
        hint: "eval-skills catalog diff ./skills --base origin/main",
      });
    const flags = { ...typed, base, dir: folderOf(dir) };
    await start(command, async (io) => (await import("./catalog-diff.ts")).catalogDiffCommand(flags, io));
  });
}

function sharedOptions(): Option[] {
  return [
    countOption(
      "--runs <n>",
      "answers to every query; 4 or more decide by an interval (default: 1)",
      1,
      mostTrials,
    ),
    new Option("--allow-invalid", "queries without an answer do not cause exit 3"),
    ...judgeOptions().filter(({ long }) => long !== "--catalog"), // the folder itself is the catalog
  ];
}

function folderOf(dir: string | undefined): string {
  return dir === undefined ? "./skills" : parseText(dir, "[dir]");
}
