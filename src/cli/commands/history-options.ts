import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows } from "../../engine/common-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { parseDate } from "../io/option-values.ts";

const historyTable = {
  skill: row.text("--skill <id>", "only this skill"),
  benchmark: row.text("--benchmark <id>", "only this benchmark"),
  since: row.text("--since <date>", "only runs finished on or after this date, such as 2026-03-01 (UTC)", {
    parse: parseDate,
  }),
  limit: row.count("--limit <n>", "maximum number of rows", { min: 1, default: 20 }),
  store: commonRows.store,
} satisfies OptionTable;

export type HistoryFlags = Options<typeof historyTable>;

export function declareHistory(program: Command, start: Start): void {
  const command = declareCommand(program, "history", "Show results over time", [
    "eval-skills history",
    "eval-skills history --skill my_calc --benchmark coding-easy",
    "eval-skills history --since 2026-03-01 --limit 50 --json",
  ]);
  addAction(command, historyTable, start, async (options, io) =>
    (await import("./history.ts")).historyCommand(options, io),
  );
}
