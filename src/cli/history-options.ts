import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { parseText } from "./option-values.ts";
import { parseDate } from "./strict-dates.ts";
import { parseCount } from "./strict-numbers.ts";

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
  const text = (flag: string) => (value: string) => parseText(value, flag);
  command
    .option("--skill <id>", "only this skill", text("--skill"))
    .option("--benchmark <id>", "only this benchmark", text("--benchmark"))
    .option("--since <date>", "only runs finished then or later, such as 2026-03-01 (UTC)", (value) =>
      parseDate(value, "--since"),
    )
    .option("--limit <n>", "at most this many rows (default: 20)", (value) => parseCount(value, "--limit", 1))
    .option("--store <path>", "where runs are kept (default: ./eval-skills.db)", text("--store"));
  command.action(async () => {
    const flags = command.opts<HistoryFlags>();
    await start(command, async (io) => (await import("./history.ts")).historyCommand(flags, io));
  });
}
