import { rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Diagnosis } from "../contract/findings.ts";
import { type Database, openDatabase, readPragma } from "../shared/files/sqlite-driver.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { UserError } from "../shared/user-error.ts";
import { applicationId, earlierApplicationId, migrations } from "./migrations.ts";
import { openStoreFile } from "./open-file.ts";
import { hasSqliteStore } from "./open-history.ts";
import { isAlive, type Owner } from "./owner.ts";
import { damaged, earlierStore, storeError } from "./store-error.ts";

/** What `doctor` reports about the store, without changing it: SQLite, folder, free space, integrity, locks. */
export async function diagnoseStore(path: string): Promise<Diagnosis[]> {
  const lines = [await diagnoseFolder(dirname(path)), diagnoseSpace(dirname(path))];
  if (!hasSqliteStore(path))
    return [...lines, line("record", "ok", `no ${basename(path)} yet; the first run creates it`)];
  return [...lines, ...(await diagnoseFile(path))];
}

/** When the newest run of a store began; null where there is none to be read. */
export async function newestRunIn(path: string): Promise<string | null> {
  if (!hasSqliteStore(path)) return null;
  try {
    return await looking(path, (database) => {
      const row = database.prepare("SELECT max(started_at) AS newest FROM runs").get();
      return (row?.newest ?? null) as string | null;
    });
  } catch {
    return null; // `diagnoseStore` reports why.
  }
}

/** A scratch store is opened as a real one is: SQLite is there, takes our settings, and the file system can do what it needs. */
async function diagnoseFolder(folder: string): Promise<Diagnosis> {
  const scratch = join(folder, `.eval-skills-doctor-${process.pid}.db`);
  try {
    const database = await openStoreFile(scratch, migrations);
    const { version } = database.prepare("SELECT sqlite_version() AS version").get() ?? {};
    database.close();
    return line("SQLite", "ok", `${version}: write-ahead log, full sync and foreign keys work in ${folder}`);
  } catch (error) {
    const { message, hint } = storeError(folder, error);
    return line("SQLite", "bad", `${folder}: ${message}`, hint);
  } finally {
    removeAll(["", "-wal", "-shm", "-journal"].map((suffix) => `${scratch}${suffix}`));
  }
}

function removeAll(files: readonly string[]): void {
  try {
    for (const file of files) rmSync(file, { force: true });
  } catch {
    // A folder that is none holds nothing either.
  }
}

const minBytes = 100 * 1_048_576;
const fewBytes = 1024 * 1_048_576;

function diagnoseSpace(folder: string): Diagnosis {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const found = `${megabytes(free)} beside the store`;
    if (free >= fewBytes) return line("free space", "ok", found);
    const fix = "eval-skills store prune --before <date>, or put the store on another disk with --store";
    return line("free space", free < minBytes ? "bad" : "note", found, fix);
  } catch (error) {
    return line("free space", "note", `not known: ${(error as Error).message}`);
  }
}

async function diagnoseFile(path: string): Promise<Diagnosis[]> {
  try {
    return await looking(path, (database) => {
      const record = diagnoseIntegrity(database, path);
      return record.state === "bad" ? [record] : [record, diagnoseLocks(database)];
    });
  } catch (error) {
    const { message, hint } = storeError(path, error);
    return [line("record", "bad", `${path}: ${message}`, hint)];
  }
}

/** Not opened as read-only: such a connection, closed last, would leave the files of the log behind. Nothing is written. */
async function looking<Value>(path: string, look: (database: Database) => Value): Promise<Value> {
  if (!statSync(path).isFile())
    throw new UserError("store-unusable", "the store is not a regular file", {
      path,
      hint: "choose another file with --store",
    });
  const database = await openDatabase(path);
  try {
    database.exec("PRAGMA busy_timeout = 5000");
    return look(database);
  } finally {
    database.close();
  }
}

function diagnoseIntegrity(database: Database, path: string): Diagnosis {
  const application = readPragma(database, "application_id");
  if (application === earlierApplicationId) throw earlierStore(path, readPragma(database, "user_version"));
  if (application !== applicationId)
    return line("record", "bad", `${path} is another program's database`, "choose another file with --store");
  const format = readPragma(database, "user_version") as number;
  if (format > migrations.length) {
    const found = `${path} was written by a newer eval-skills (format ${format})`;
    return line("record", "bad", found, "npm install --global eval-skills@latest");
  }
  if (readPragma(database, "integrity_check") !== "ok") throw damaged(path);
  const { runs } = database.prepare("SELECT count(*) AS runs FROM runs").get() ?? {};
  const found = `${basename(path)}: ${pluralize(Number(runs), "run")}, ${megabytes(statSync(path).size)}, integrity check passed`;
  if (format < migrations.length)
    return line("record", "note", `${found}; older format, upgraded with a backup at the next run`);
  return line("record", "ok", found);
}

/** A run that says it is under way and whose process is gone: nothing is broken, and it can be continued. */
function diagnoseLocks(database: Database): Diagnosis {
  const rows = database
    .prepare("SELECT id, owner FROM runs WHERE state = 'running' ORDER BY started_at DESC")
    .all();
  const stale = rows.filter(({ owner }) => owner === null || !isAlive(JSON.parse(owner as string) as Owner));
  const [newest] = stale;
  if (newest === undefined)
    return line(
      "locks",
      "ok",
      rows.length === 0 ? "no run in progress" : `${pluralize(rows.length, "run")} in progress`,
    );
  const found = `${pluralize(stale.length, "run")} interrupted, finished results kept; the newest is ${newest.id}`;
  return line("locks", "note", found, `eval-skills eval --resume ${newest.id}`);
}

function megabytes(bytes: number): string {
  return bytes >= fewBytes ? `${(bytes / fewBytes).toFixed(1)} GiB` : `${Math.ceil(bytes / 1_048_576)} MiB`;
}

function line(name: string, state: Diagnosis["state"], found: string, fix: string | null = null): Diagnosis {
  return { topic: "store", name, state, found, fix };
}
