import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { storeOption } from "./declare-option.ts";
import { parseDate } from "./strict-dates.ts";

/** A catalog or a question that comes back later than this after its last use is embedded or asked anew. */
const unusedForDays = 30;

/** What was typed after `store prune`. */
export interface PruneFlags {
  /** UTC, as files write times. */
  before?: string;
  /** How long vectors and replies are kept after their last use; nobody types it. */
  unusedForDays: number;
  dryRun?: true;
  store?: string;
}

/** Declares `store prune`. */
export function declareStore(program: Command, start: Start): void {
  const store = declareCommand(program, "store", "Look after the record of runs", [
    "eval-skills store prune --before 2026-01-01 --dry-run",
  ]).helpCommand("help [command]", "show the help of a command");
  const prune = declareCommand(
    store,
    "prune",
    `Remove old runs, and vectors and replies unused for ${unusedForDays} days`,
    [
      "eval-skills store prune --before 2026-01-01 --dry-run",
      "eval-skills store prune --before 2026-01-01T12:00Z --store ./eval-skills.db",
    ],
  );
  prune
    .option(
      "--before <date>",
      "runs finished, and vectors and replies last used, before this go, such as 2026-01-01 (UTC)",
      (value) => parseDate(value, "--before"),
    )
    .option("--dry-run", "only tell what would go")
    .addOption(storeOption());
  prune.action(async () => {
    const flags: PruneFlags = { ...prune.opts<Omit<PruneFlags, "unusedForDays">>(), unusedForDays };
    await start(prune, async (io) => (await import("./store.ts")).pruneCommand(flags, io));
  });
}
