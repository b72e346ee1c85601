import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../contract/option-table.ts";
import { commonRows } from "../run/common-options.ts";
import { judgeRows } from "../run/triggering/trigger-options.ts";
import { addAction, declareCommand, type Start } from "./declare-command.ts";
import { anyText } from "./option-values.ts";

const { host, groups, allow } = judgeRows;

const routeTable = {
  query: row.text("<query>", "the request, as a user would type it", { parse: anyText }),
  skillsDir: row.text("--skills-dir <dir>", "folder with skills", { default: "./skills" }),
  host,
  groups,
  allow,
  topK: row.count("--top-k <n>", "select at most this many", { min: 1, default: 4, config: "router.k" }),
  minScore: row.rate("--min-score <score>", "least score to be selected, 0 to 1", {
    default: 0.2,
    config: "router.min_score",
  }),
  all: row.switch("--all", "also show what was left out, and why"),
  requireVectors: row.switch("--require-vectors", "a choice by words alone is an error"),
  store: commonRows.store,
} satisfies OptionTable;

export type RouteFlags = Options<typeof routeTable>;

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
  addAction(command, routeTable, start, async (options, io) =>
    (await import("./route.ts")).routeCommand(options, io),
  );
}
