import type { Pruned } from "../../contract/store.ts";
import { bytes } from "../../report/text/format-numbers.ts";
import { isoTime, systemClock } from "../../shared/async/clock.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { hasSqliteStore } from "../../store/open-history.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { missingStore } from "../io/open-history.ts";
import type { PruneFlags } from "./store-options.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** `store prune`: old runs, and vectors and replies that nothing uses any more, out of the store. */
export async function pruneCommand(flags: PruneFlags, io: CommandIo): Promise<ExitCode> {
  const { before = null, dryRun: isDryRun = false } = flags;
  const { config } = await loadCommandConfig(io);
  const path = writtenPath(config.store, io.cwd);
  if (!hasSqliteStore(path)) {
    if (flags.store !== undefined) throw missingStore(config.store);
    printPruned({ runs: 0, vectors: 0, cache: 0, keptUnfinished: 0, bytesFreed: 0 }, isDryRun, io);
    io.note(`store not found: ${config.store}`);
    return 0;
  }
  await using store = await openSqliteStore(path);
  const pruned = await store.prune({ before, unusedSince: unusedSince(flags), isDryRun });
  printPruned(pruned, isDryRun, io);
  if (pruned.keptUnfinished > 0)
    io.note(
      `kept ${pluralize(pruned.keptUnfinished, "older run")} that ${pruned.keptUnfinished === 1 ? "is" : "are"} unfinished: continue with eval --resume`,
    );
  if (before === null) io.note("pass --before <date> to remove runs");
  return 0;
}

/** The later of two times: entries that only pruned runs used are pruned too. */
function unusedSince({ before = "", unusedForDays }: PruneFlags): string {
  const longAgo = isoTime(systemClock.now() - unusedForDays * dayMs);
  return before > longAgo ? before : longAgo;
}

function printPruned({ runs, vectors, cache, bytesFreed }: Pruned, isDryRun: boolean, io: CommandIo): void {
  const verb = isDryRun ? "would remove" : "removed";
  const what = [
    pluralize(runs, "run"),
    ...(vectors > 0 ? [pluralize(vectors, "vector")] : []),
    ...(cache > 0 ? [`${cache} cached ${cache === 1 ? "reply" : "replies"}`] : []),
  ];
  io.result(
    { removed: { runs, vectors, cache }, bytesFreed },
    `${verb} ${what.join(", ")}, ${isDryRun ? "about " : ""}${bytes(bytesFreed)} freed`,
  );
}
