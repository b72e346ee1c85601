import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, storeOption, textOption } from "./declare-option.ts";
import { parseDate } from "./strict-dates.ts";

/** What was typed after `history`. */
export interface HistoryFlags {
  skill?: string;
  benchmark?: string;
  /** UTC, as files write times. */
  since?: string;
  limit?: number;
  store?: string;
}

/** Declares `history`. */
export function declareHistory(program: Command, start: Start): void {
  const command = declareCommand(program, "history", "Show how skills did over time", [
    "eval-skills history",
    "eval-skills history --skill my_calc --benchmark coding-easy",
    "eval-skills history --since 2026-03-01 --limit 50 --json",
  ]);
  command
    .addOption(textOption("--skill <id>", "only this skill"))
    .addOption(textOption("--benchmark <id>", "only this benchmark"))
    .option("--since <date>", "only runs finished then or later, such as 2026-03-01 (UTC)", (value) =>
      parseDate(value, "--since"),
    )
    .addOption(countOption("--limit <n>", "at most this many rows (default: 20)", 1))
    .addOption(storeOption());
  command.action(async () => {
    const flags = command.opts<HistoryFlags>();
    await start(command, async (io) => (await import("./history.ts")).historyCommand(flags, io));
  });
}
