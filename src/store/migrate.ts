import { rmSync } from "node:fs";
import { type Database, openDatabase, readPragma } from "../shared/files/sqlite-driver.ts";
import { renameWholeFile } from "../shared/files/whole-file.ts";
import { UserError } from "../shared/user-error.ts";
import { applicationId, backupPath } from "./migrations.ts";

/** Brings a store up to date, under one write lock, so that processes starting together agree on who does it. */
export async function migrate(
  database: Database,
  path: string,
  migrations: readonly string[],
): Promise<void> {
  if (readPragma(database, "user_version") === migrations.length) return;
  // While nothing is in it but its header, the file can be made one that gives back the room of what is removed.
  if (readPragma(database, "page_count") === 1) rewriteGivingBack(database);
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = readPragma(database, "user_version") as number;
    refuseNewer(path, version, migrations.length); // somebody newer may have been quicker
    if (version > 0 && version < migrations.length) await backUp(path, version);
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Writes the whole file anew, without free pages, so that from now on they can be given back one by one. */
export function rewriteGivingBack(database: Database): void {
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("VACUUM");
}

/** Some failures roll back by themselves; the first error is the one to report. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // nothing left to take back
  }
}

/** A store that a newer version wrote may hold what we do not understand. */
export function refuseNewer(path: string, version: number, newest: number): void {
  if (version <= newest) return;
  throw new UserError("store-unusable", `the store was written by a newer eval-skills (format ${version})`, {
    path,
    hint: "update eval-skills, or choose another file with --store",
  });
}

/** Readers see the state before our transaction, so the copy is the store as it was. It gets its name when it is whole. */
async function backUp(path: string, version: number): Promise<void> {
  const half = `${backupPath(path, version)}.tmp`;
  rmSync(half, { force: true });
  const reader = await openDatabase(path, { readOnly: true });
  try {
    reader.exec(`VACUUM INTO '${half.replaceAll("'", "''")}'`);
  } finally {
    reader.close();
  }
  renameWholeFile(half, backupPath(path, version));
}
