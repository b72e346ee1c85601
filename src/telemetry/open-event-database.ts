import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { openOrClose } from "../shared/async/open-or-close.ts";
import { patiently } from "../shared/async/patiently.ts";
import { makeFolder } from "../shared/files/paths.ts";
import { type Database, openDatabase, readPragma, SqliteMissing } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";

/** What a database of ours holds. */
export interface Shape {
  applicationId: number;
  formatVersion: number;
  /** The statements that make it. */
  tables: string;
  /** A table that shows whether they were made. */
  firstTable: string;
}

/** How long to wait for others. */
export interface Patience {
  /** Of one statement: it holds up the whole process. */
  patienceMs: number;
  /** Of opening: it holds up nobody. */
  openingPatienceMs: number;
}

/** How a file is opened for writing. */
export interface Opening {
  patience: Patience;
  /** Called where other users could read or write the file; they no longer can. */
  onNarrowed?: ((path: string) => void) | undefined;
}

/** Pages of a busy run are written over and over: the longer they stay in the log, the fewer reach the file. */
const checkpointPages = 4000;

/** Opens a database of events for writing, and makes it where there is none. Processes that start together all succeed. */
export async function openToWrite(
  path: string,
  shape: Shape,
  { patience: { patienceMs, openingPatienceMs }, onNarrowed }: Opening,
): Promise<Database> {
  makeFolder(dirname(path));
  refuseOther(path);
  // SQLite gives the files beside it the same mode.
  closeSync(openSync(path, "a", ownerOnly));
  const database = await patiently(() => openDatabase(path), openingPatienceMs);
  return openOrClose(
    () => database.close(),
    async () => {
      await patiently(() => {
        database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
        if (!isMade(database, path, shape)) refuseForeign(database, path);
        database.exec("PRAGMA journal_mode = WAL");
        // Survives our death; of a machine that dies it may lose the last moments, and stays whole.
        database.exec("PRAGMA synchronous = NORMAL");
        database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
      }, openingPatienceMs);
      if (!isMade(database, path, shape))
        await patiently(() => inTransaction(database, () => make(database, path, shape)), openingPatienceMs);
      if (narrow(path)) onNarrowed?.(path);
      return database;
    },
  );
}

const ownerOnly = 0o600;

/** Closes a file of ours, and those that SQLite has beside it, to other users. Returns whether it was open to them. */
function narrow(path: string): boolean {
  if (process.platform === "win32") return false; // no such modes
  const wide = ["", "-wal", "-shm"]
    .map((suffix) => `${path}${suffix}`)
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  try {
    for (const file of wide) chmodSync(file, ownerOnly);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "EROFS" && code !== "ENOENT") throw error;
    return false; // it is another user's, who decides, or gone again
  }
  return wide.length > 0;
}

/** `telemetry.sqlite3 was open to other users; now only you can read it` */
export function narrowedWords(paths: readonly string[]): string {
  const [was, it] = paths.length === 1 ? ["was", "it"] : ["were", "them"];
  return `${paths.join(" and ")} ${was} open to other users; now only you can read ${it}`;
}

/** Opens a database of events that is there, without changing it. */
export async function openToRead(path: string, shape: Shape): Promise<Database> {
  if (!existsSync(path))
    throw new UserError("sqlite-not-found", `no telemetry file at ${path}`, {
      path,
      hint: "set its path with --path; runs write one unless telemetry is off",
    });
  refuseOther(path);
  try {
    return await lookedAt(path, path, shape);
  } catch (error) {
    // Where not even the log beside the file may be made, the file alone has to do.
    if (!/unable to open|readonly|read-only/i.test((error as Error).message) || hasLog(path)) throw error;
    return lookedAt(`${pathToFileURL(path).href}?immutable=1`, path, shape);
  }
}

async function lookedAt(address: string, path: string, shape: Shape): Promise<Database> {
  const database = await openDatabase(address, { readOnly: true });
  return openOrClose(
    () => database.close(),
    async () => {
      database.exec("PRAGMA busy_timeout = 5000");
      if (await patiently(() => isMade(database, path, shape))) return database;
      refuseForeign(database, path);
      throw new UserError("sqlite-not-found", `${path} contains no events yet`, { path });
    },
  );
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** SQLite would open a pipe or a device as well, and leave a journal beside it. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw new UserError("sqlite-unreadable", `${path} is ${found.isDirectory() ? "a folder" : "no file"}`, {
    path,
    hint: "choose another file with telemetry.sqlitePath",
  });
}

function make(database: Database, path: string, shape: Shape): void {
  if (isMade(database, path, shape)) return; // somebody was quicker
  refuseForeign(database, path);
  database.exec(shape.tables);
  database.exec(`PRAGMA application_id = ${shape.applicationId}`);
  database.exec(`PRAGMA user_version = ${shape.formatVersion}`);
}

function isMade(
  database: Database,
  path: string,
  { firstTable, applicationId, formatVersion }: Shape,
): boolean {
  const found = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .get(firstTable);
  if (found === undefined) return false;
  // We make no triggers and views; those of a stranger would change what we write.
  const stranger = database.prepare("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").get();
  if (stranger !== undefined || readPragma(database, "application_id") !== applicationId) throw foreign(path);
  if (readPragma(database, "user_version") === formatVersion) return true;
  throw new UserError("sqlite-unreadable", `${path} was written by another version of eval-skills`, {
    path,
    hint: "move it away, or choose another file with telemetry.sqlitePath",
  });
}

/** What another program keeps is not ours to write into. */
function refuseForeign(database: Database, path: string): void {
  if (database.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.n !== 0) throw foreign(path);
}

function foreign(path: string): UserError {
  return new UserError("sqlite-unreadable", `${path} is another program's database`, {
    path,
    hint: "choose another file with telemetry.sqlitePath",
  });
}

/** Does something with a file of events; whatever goes wrong names the file. */
export function guarded<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw fileFault(path, error);
  }
}

/** Whatever SQLite or the disk complains about, as one kind of error. */
export function fileFault(path: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const { message } = error as Error;
  if (error instanceof SqliteMissing)
    return new UserError("sqlite-not-found", message, { hint: error.hint, cause: error });
  const isDamaged = /malformed|not a database|corrupt/i.test(message);
  return new UserError(
    "sqlite-unreadable",
    `${path} ${isDamaged ? "is damaged" : "cannot be used"}: ${message}`,
    {
      path,
      hint: isDamaged ? "move it away; the next run creates a new one" : undefined,
      cause: error,
    },
  );
}

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
      // Some failures roll back by themselves; the first error is the one to report.
    }
    throw error;
  }
}
