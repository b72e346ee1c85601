import { type Stats, statSync } from "node:fs";
import { openOrClose } from "../shared/async/open-or-close.ts";
import { patiently } from "../shared/async/patiently.ts";
import { type Database, openDatabase, readPragma } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { applicationId, earlierApplicationId } from "./migrations.ts";
import { damaged, earlierStore, storeError } from "./store-error.ts";

const busyTimeoutMs = 5000;
const checkpointPages = 8000;
/** Looking through the whole file costs with its size; beyond this, damage shows when it is met. */
const checkedBytes = 16 * 1_048_576;

/** Opens a store file after looking at it without touching it, brings it up to date, and proves its settings. */
export async function openStoreFile(path: string, migrations: readonly string[]): Promise<Database> {
  try {
    if (path === "") throw new UserError("store-unusable", "the path of the store is empty", { path });
    const found = statSync(path, { throwIfNoEntry: false });
    refuseOther(found, path);
    if (found !== undefined && found.size > 0) await patiently(() => inspect(path, migrations.length));
    const database = await patiently(() => openDatabase(path));
    return await openOrClose(
      () => database.close(),
      async () => {
        await patiently(() => configure(database, "FULL"));
        proveSettings(database, path); // before anything is written: what cannot be kept safe is left alone
        await patiently(() => migrate(database, path, migrations));
        return database;
      },
    );
  } catch (error) {
    throw storeError(path, error);
  }
}

/**
 * Opens a store file that is there, to look back. One connection, not opened as read-only: such a one, closed last,
 * would leave the files of the log behind.
 */
export async function openForReading(path: string, migrations: readonly string[]): Promise<Database> {
  try {
    refuseOther(statSync(path), path);
    const database = await patiently(() => openDatabase(path));
    const isOlder = await openOrClose(
      () => database.close(),
      async () => {
        await patiently(() => lookAt(database, path, migrations.length));
        return (readPragma(database, "user_version") as number) < migrations.length;
      },
    );
    if (!isOlder) return database;
    database.close();
  } catch (error) {
    throw storeError(path, error);
  }
  return openStoreFile(path, migrations);
}

/** SQLite would open a pipe or a device as well, and leave a journal beside it. */
function refuseOther(found: Stats | undefined, path: string): void {
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? "the store is a folder, not a file" : "the store is not a regular file";
  throw new UserError("store-unusable", what, { path, hint: "choose another file with --store" });
}

/** A second connection for what need not wait for the disk: it survives our death, if not the machine's. */
export async function openQuickConnection(path: string, main: Database): Promise<Database> {
  try {
    return await openOrClose(
      () => main.close(),
      async () => {
        const database = await patiently(() => openDatabase(path));
        return openOrClose(
          () => database.close(),
          async () => {
            await patiently(() => configure(database, "NORMAL"));
            return database;
          },
        );
      },
    );
  } catch (error) {
    throw storeError(path, error);
  }
}

/** Brings everything into the file itself, as far as others let us: people copy that one file and leave its log behind. */
export function settle(database: Database): void {
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Nothing is lost: what is in the log is found again at the next opening.
  }
}

async function inspect(path: string, newest: number): Promise<void> {
  try {
    await inspectWith({ readOnly: true }, path, newest);
  } catch (error) {
    // Whoever made the store died over it: only a connection that may write can take back what was half-made.
    if (!/readonly database/.test((error as Error).message)) throw error;
    await inspectWith({}, path, newest);
  }
}

async function inspectWith(options: { readOnly?: boolean }, path: string, newest: number): Promise<void> {
  const database = await openDatabase(path, options);
  try {
    lookAt(database, path, newest);
  } finally {
    database.close();
  }
}

/** Refuses a file that is not a store of ours, or that we cannot read. */
function lookAt(database: Database, path: string, newest: number): void {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  const tables = database.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.n as number;
  const application = readPragma(database, "application_id");
  if (tables > 0 && application === earlierApplicationId)
    throw earlierStore(path, readPragma(database, "user_version"));
  if (tables > 0 && application !== applicationId) {
    throw new UserError("store-unusable", "the file is another program's database", {
      path,
      hint: "choose another file with --store",
    });
  }
  refuseNewer(path, readPragma(database, "user_version") as number, newest);
  // What we write would start them, and they could change what a run has found.
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").get() !== undefined)
    throw new UserError(
      "store-unusable",
      "the store has triggers or views, which eval-skills never creates",
      {
        path,
        hint: "choose another file with --store",
      },
    );
  if (statSync(path).size <= checkedBytes && readPragma(database, "quick_check") !== "ok")
    throw damaged(path);
}

function configure(database: Database, synchronous: "FULL" | "NORMAL"): void {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec("PRAGMA foreign_keys = ON");
  // Pages of a busy run are written over and over: the longer they stay in the log, the fewer reach the file.
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
}

function proveSettings(database: Database, path: string): void {
  const settings = {
    journal_mode: readPragma(database, "journal_mode"),
    synchronous: readPragma(database, "synchronous"),
    busy_timeout: readPragma(database, "busy_timeout"),
    foreign_keys: readPragma(database, "foreign_keys"),
  };
  if (settings.journal_mode !== "wal") {
    throw new UserError(
      "store-unusable",
      "the file system of the store does not support write-ahead logging",
      {
        path,
        hint: "put the store on a local disk with --store",
      },
    );
  }
  if (settings.synchronous !== 2 || settings.busy_timeout !== busyTimeoutMs || settings.foreign_keys !== 1) {
    throw new Error(`SQLite did not apply our settings: ${JSON.stringify(settings)}`);
  }
}
