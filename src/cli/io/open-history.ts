import type { RunHistory } from "../../contract/store.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { UserError } from "../../shared/user-error.ts";
import { openSqliteHistory } from "../../store/open-history.ts";
import type { CommandIo } from "./command-io.ts";
import { loadCommandConfig } from "./load-command-config.ts";

export interface OpenedHistory {
  /** Null where there is no store yet. */
  history: RunHistory | null;
  /** The store as the user named it. */
  storePath: string;
  /** Whether it was named on this command line. */
  isTyped: boolean;
}

/** Opens the configured store for reading; never creates one. */
export async function openHistory(typed: string | undefined, io: CommandIo): Promise<OpenedHistory> {
  const { config } = await loadCommandConfig(io);
  const history = await openSqliteHistory(writtenPath(config.store, io.cwd));
  return { history, storePath: config.store, isTyped: typed !== undefined };
}

/** The error for a named store that does not exist. */
export function missingStore(path: string): UserError {
  return new UserError("store-unusable", `store not found: ${path}`, {
    path,
    hint: "set the path with --store; `eval-skills eval` creates a store",
  });
}
