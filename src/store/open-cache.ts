import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Cache } from "../contract/cache.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { openOrClose } from "../shared/async/open-or-close.ts";
import type { Database } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";
import { memoryCache } from "./memory-cache.ts";
import { migrations } from "./migrations.ts";
import { openForReading, openStoreFile } from "./open-file.ts";
import { hasSqliteStore } from "./open-history.ts";
import { sqliteCache } from "./sqlite-cache.ts";
import { guarded } from "./store-error.ts";

export interface CacheOptions {
  clock?: Clock;
  /** How long a write waits for whoever holds the file; what cannot be written then is written later. */
  patienceMs?: number;
  /** Called when something cannot be stored for the next time. */
  warn?: (message: string) => void;
}

/**
 * Opens the cache, which is in the file of the store. A file that is busy or may not be
 * written costs nothing but the memory of it; one that is not a store of ours is refused.
 */
export async function openCache(
  path: string,
  { clock = systemClock, patienceMs = 1000, warn = () => {} }: CacheOptions = {},
): Promise<Cache> {
  let database: Database;
  try {
    // One connection where that is enough: a second one to look first would leave the files of the log behind.
    const open = hasSqliteStore(path) ? openForReading : openStoreFile;
    database = await open(path, migrations);
  } catch (error) {
    if (!isOutOfReach(error, path)) throw error;
    warn(`nothing is cached for the next run: ${(error as Error).message}`);
    const keepCalibration = () => {
      throw error;
    };
    return { ...memoryCache(), keepCalibration };
  }
  return openOrClose(
    () => database.close(),
    async () =>
      guarded(path, () => {
        database.exec("PRAGMA synchronous = NORMAL"); // a machine that dies costs a few rows that are made anew
        return sqliteCache(database, path, { clock, patienceMs, warn });
      }),
  );
}

/** Whether SQLite itself could not get at a file whose folder is there: locked, or not ours to write. */
function isOutOfReach(error: unknown, path: string): boolean {
  const isOfSqlite = error instanceof UserError && error.cause !== undefined;
  return isOfSqlite && statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true;
}
