import { resolve } from "node:path";
import type { RunHistory } from "../contract/store.ts";
import { loadConfig } from "../spec/load-config.ts";
import { openSqliteHistory } from "../store/open-history.ts";
import type { CommandIo } from "./command-io.ts";

export interface OpenedHistory {
  /** Null where there is no store yet. */
  history: RunHistory | null;
  /** The store as the user named it. */
  storePath: string;
  /** Whether it was named on this command line. */
  isTyped: boolean;
}

/** Opens the store that flags and configuration name, to look back; a store that is not there stays so. */
export async function openHistory(typed: string | undefined, io: CommandIo): Promise<OpenedHistory> {
  const { config, warnings } = await loadConfig({
    ...io,
    flags: typed === undefined ? {} : { store: typed },
  });
  for (const warning of warnings) io.warn(warning);
  const history = await openSqliteHistory(resolve(io.cwd, config.store));
  return { history, storePath: config.store, isTyped: typed !== undefined };
}
