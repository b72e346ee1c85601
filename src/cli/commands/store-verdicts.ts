import { importVerdicts, writeVerdicts } from "../../operations/store/verdict-file.ts";
import { packageVersion } from "../../shared/files/own-package.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { hasSqliteStore } from "../../store/open-history.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { missingStore } from "../io/open-history.ts";
import type { VerdictFlags } from "./store-options.ts";

/** `store export`: the newest verdict of every cell as a file, for `--changed` on another machine. */
export async function exportCommand({ keys }: VerdictFlags, io: CommandIo): Promise<ExitCode> {
  const { config } = await loadCommandConfig(io);
  const path = writtenPath(config.store, io.cwd);
  if (!hasSqliteStore(path)) throw missingStore(config.store);
  const file = writtenPath(keys, io.cwd);
  await using store = await openSqliteStore(path);
  const verdicts = await writeVerdicts(store, file, packageVersion());
  io.result({ file: keys, verdicts }, `${pluralize(verdicts, "verdict")} in ${keys}`);
  return 0;
}

/** `store import`: the verdicts of such a file, into the store. */
export async function importCommand({ keys }: VerdictFlags, io: CommandIo): Promise<ExitCode> {
  const { config } = await loadCommandConfig(io);
  const path = writtenPath(config.store, io.cwd);
  const file = writtenPath(keys, io.cwd);
  const { count, isNew } = await importVerdicts(() => openSqliteStore(path), file, keys, packageVersion());
  const verdicts = pluralize(count, "verdict");
  const words = isNew ? `${verdicts} imported; \`--changed\` keeps them` : `${verdicts} were there already`;
  io.result({ file: keys, verdicts: count, imported: isNew }, words);
  return 0;
}
