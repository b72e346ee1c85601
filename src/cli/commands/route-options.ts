import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows } from "../../engine/common-options.ts";
import { judgeRows } from "../../levels/trigger/options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { anyText } from "../io/option-values.ts";

const { host, groups, allow } = judgeRows;

const routeTable = {
  query: row.text("<query>", "the request, as a user would type it", { parse: anyText }),
  skillsDir: row.text("--skills-dir <dir>", "folder with skills", { default: "./skills" }),
  host,
  groups,
  allow,
  topK: row.count("--top-k <n>", "maximum number of skills to select", {
    min: 1,
    default: 4,
    config: "router.k",
  }),
  minScore: row.rate("--min-score <score>", "minimum score to be selected, 0 to 1", {
    default: 0.2,
    config: "router.min_score",
  }),
  all: row.switch("--all", "also show skills that were not selected, and why"),
  requireVectors: row.switch("--require-vectors", "fail if the choice was made without vectors"),
  store: commonRows.store,
} satisfies OptionTable;

export type RouteFlags = Options<typeof routeTable>;

export function declareRoute(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "route",
    "Show which skills the router picks for a request, and why",
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
