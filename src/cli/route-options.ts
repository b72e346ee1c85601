import { type Command, Option } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, rateOption, storeOption, textOption, textsOption } from "./declare-option.ts";

/** What was typed after `route`. */
export interface RouteFlags {
  query: string;
  skillsDir?: string;
  host?: string;
  group?: string[];
  allow?: string[];
  topK?: number;
  minScore?: number;
  all?: true;
  requireVectors?: true;
  store?: string;
}

/** Declares `route`. */
export function declareRoute(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "route",
    "Choose among skills for a request, without a model, and say why",
    [
      'eval-skills route "check this contract for risks"',
      'eval-skills route "把这份合同审一下" --skills-dir ./skills --all',
      'eval-skills route "draw a chart" --host et --top-k 1 --json',
    ],
  );
  command
    .argument("<query>", "the request, as a user would type it")
    .addOption(textOption("--skills-dir <dir>", "folder with skills (default: ./skills)"))
    .addOption(textOption("--host <name>", "only skills for this host: writer, et, wpp …"))
    .addOption(textsOption("--group <names...>", "only skills of these groups"))
    .addOption(textsOption("--allow <ids...>", "only these skills"))
    .addOption(countOption("--top-k <n>", "select at most this many (default: 4)", 1))
    .addOption(rateOption("--min-score <score>", "least score to be selected, 0 to 1 (default: 0.2)"))
    .addOption(new Option("--all", "also show what was left out, and why"))
    .addOption(new Option("--require-vectors", "a choice by words alone is an error"))
    .addOption(storeOption());
  command.action(async (query: string) => {
    const flags = { ...command.opts<Omit<RouteFlags, "query">>(), query };
    await start(command, async (io) => (await import("./route.ts")).routeCommand(flags, io));
  });
}
