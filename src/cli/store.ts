import { resolve } from "node:path";
import { countOf } from "../base/count-of.ts";
import type { Pruned } from "../contract/store.ts";
import { bytes } from "../reporters/format-numbers.ts";
import { hasSqliteStore } from "../store/open-history.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { missingStore } from "./open-history.ts";
import type { PruneFlags } from "./store-options.ts";
import { toldConfig } from "./told-config.ts";

/** `store prune`: old runs out of the record. */
export async function pruneCommand(flags: PruneFlags, io: CommandIo): Promise<ExitCode> {
  const { before = null, dryRun: isDryRun = false } = flags;
  const { config } = await toldConfig(io, { store: flags.store });
  const path = resolve(io.cwd, config.store);
  if (!hasSqliteStore(path)) {
    if (flags.store !== undefined) throw missingStore(config.store);
    tell({ runs: 0, keptUnfinished: 0, bytesFreed: 0 }, isDryRun, io);
    io.note(`there is no store ${config.store}`);
    return 0;
  }
  await using store = await openSqliteStore(path);
  const pruned = await store.prune({ before, isDryRun });
  tell(pruned, isDryRun, io);
  if (pruned.keptUnfinished > 0)
    io.note(
      `kept ${countOf(pruned.keptUnfinished, "older run")} that ${pruned.keptUnfinished === 1 ? "is" : "are"} not finished: eval --resume can continue`,
    );
  if (before === null) io.note("runs are removed with --before <date>");
  return 0;
}

function tell({ runs, bytesFreed }: Pruned, isDryRun: boolean, io: CommandIo): void {
  const verb = isDryRun ? "would remove" : "removed";
  io.result(
    // This version keeps no vectors and no cache, so there are none to remove.
    { removed: { runs, vectors: 0, cache: 0 }, bytesFreed },
    `${verb} ${countOf(runs, "run")}, ${isDryRun ? "about " : ""}${bytes(bytesFreed)} freed`,
  );
}
