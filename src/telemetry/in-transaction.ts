import type { Database } from "../shared/files/sqlite-driver.ts";

/** All of it or nothing. */
export function inTransaction<Value>(database: Database, work: () => Value): Value {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // Some failures roll back by themselves; the first error is the one to tell.
    }
    throw error;
  }
}
