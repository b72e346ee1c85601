import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows } from "../../engine/common-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { parseDate } from "../io/option-values.ts";

/** Vectors and replies that were not used for this long are removed, and made again when needed. */
const unusedForDays = 30;

const pruneTable = {
  before: row.text(
    "--before <date>",
    "remove runs finished and cache entries last used before this date, such as 2026-01-01 (UTC)",
    { parse: parseDate },
  ),
  dryRun: row.switch("--dry-run", "print what would be removed"),
  store: commonRows.store,
} satisfies OptionTable;

/** What was typed after `store prune`, and how long vectors and replies are kept after their last use. */
export type PruneFlags = Options<typeof pruneTable> & { unusedForDays: number };

const verdictTable = (verb: "write" | "read", command: "export" | "import") =>
  ({
    keys: row.text("--keys <file>", `${verb} the verdicts, by the keys of their cells`, {
      required: `eval-skills store ${command} --keys ./verdicts.ndjson`,
    }),
    store: commonRows.store,
  }) satisfies OptionTable;

/** What was typed after `store export` and `store import`. */
export type VerdictFlags = Options<ReturnType<typeof verdictTable>>;

export function declareStore(program: Command, start: Start): void {
  const store = declareCommand(program, "store", "Manage the run store", [
    "eval-skills store prune --before 2026-01-01 --dry-run",
    "eval-skills store export --keys ./verdicts.ndjson",
  ]).helpCommand("help [command]", "show help for a command");
  const prune = declareCommand(
    store,
    "prune",
    `Remove old runs, and cached vectors and replies unused for ${unusedForDays} days`,
    [
      "eval-skills store prune --before 2026-01-01 --dry-run",
      "eval-skills store prune --before 2026-01-01T12:00Z --store ./eval-skills.db",
    ],
  );
  addAction(prune, pruneTable, start, async (options, io) =>
    (await import("./store.ts")).pruneCommand({ ...options, unusedForDays }, io),
  );
  const exporting = declareCommand(store, "export", "Write the newest verdict of every cell to a file", [
    "eval-skills store export --keys ./verdicts.ndjson",
  ]);
  addAction(exporting, verdictTable("write", "export"), start, async (options, io) =>
    (await import("./store-verdicts.ts")).exportCommand(options, io),
  );
  const importing = declareCommand(store, "import", "Take verdicts of another machine, for --changed", [
    "eval-skills store import --keys ./verdicts.ndjson",
  ]);
  addAction(importing, verdictTable("read", "import"), start, async (options, io) =>
    (await import("./store-verdicts.ts")).importCommand(options, io),
  );
}
