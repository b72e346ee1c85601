import { statSync } from "node:fs";
import type { RunHistory } from "../contract/store.ts";
import { finishedReports } from "./finished-reports.ts";
import { migrations } from "./migrations.ts";
import { openForReading } from "./open-file.ts";
import { guarded } from "./store-error.ts";
import { storedRun } from "./stored-run.ts";

/** Opens a store to look back. Where there is none, null: looking creates nothing. */
export async function openSqliteHistory(path: string): Promise<RunHistory | null> {
  if (!hasSqliteStore(path)) return null;
  const database = await openForReading(path, migrations);
  return {
    async findRun(runId) {
      const row = guarded(path, () => database.prepare("SELECT * FROM runs WHERE id = ?").get(runId));
      return row === undefined ? null : storedRun(row);
    },
    finishedReports: (filter) => finishedReports(database, path, filter),
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

/** Whether something was ever kept there. What cannot be looked at is left to the opening, which says why. */
export function hasSqliteStore(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !(found.isFile() && found.size === 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}
