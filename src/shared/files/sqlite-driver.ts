import { closeSync, lstatSync, openSync } from "node:fs";
import { realPath } from "./paths.ts";

/** The part of `node:sqlite` that we use; its replacement for older Node has the same shape. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  iterate(...values: SqlValue[]): IterableIterator<Row>;
}

type SqlValue = string | number | Uint8Array | null;
export type Row = Record<string, SqlValue>;

/** There is no SQLite here at all, whatever the file. */
export class SqliteMissing extends Error {
  override readonly name = "SqliteMissing";
  readonly hint = "use Node 24 or newer, or install eval-skills again without --omit=optional";
}

type DatabaseClass = new (path: string, options?: { readOnly?: boolean }) => Database;

/**
 * Opens a database file with the SQLite of this Node, or with the packaged one where this Node has none. A new one is
 * readable by its owner alone, and so is what SQLite puts beside it.
 */
export async function openDatabase(path: string, options: { readOnly?: boolean } = {}): Promise<Database> {
  const DatabaseSync = builtIn() ?? (await packaged());
  if (path !== ":memory:" && !path.startsWith("file:")) {
    refuseLinksBeside(path);
    if (options.readOnly !== true) makePrivate(path);
  }
  return new DatabaseSync(path, options);
}

/** SQLite writes its logs wherever a link leads. It makes none, so somebody else did. */
function refuseLinksBeside(path: string): void {
  for (const name of filesBeside(realPath(path)))
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${name} is a link`);
}

/** What SQLite writes beside a database: these names count from where the file itself is. */
export function filesBeside(path: string): string[] {
  return ["-wal", "-shm", "-journal"].map((suffix) => `${path}${suffix}`);
}

function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {
    // It is there, or SQLite says why it cannot be.
  }
}

function builtIn(): DatabaseClass | null {
  const { emitWarning } = process;
  // Node 22 warns of its own experiment on the user's terminal; that is nothing the user can fix.
  process.emitWarning = () => {};
  try {
    const module = process.getBuiltinModule?.("node:sqlite" as "node:fs") as
      | { DatabaseSync?: DatabaseClass }
      | undefined;
    return module?.DatabaseSync ?? null;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function packaged(): Promise<DatabaseClass> {
  try {
    const module = await import("@photostructure/sqlite");
    return module.DatabaseSync as unknown as DatabaseClass;
  } catch (error) {
    throw new SqliteMissing("this Node has no built-in SQLite, and the bundled one does not load here", {
      cause: error,
    });
  }
}

const heldBy = new WeakMap<object, Statement>();

/**
 * The rows of a statement, one at a time. In the packaged SQLite they do not keep their statement alive: where nobody else
 * does either, it would be freed under whoever reads, and take the process with it.
 */
export function eachRow(statement: Statement, ...values: SqlValue[]): IterableIterator<Row> {
  const rows = statement.iterate(...values);
  heldBy.set(rows, statement);
  return rows;
}

/** The value of a setting of this connection or file. */
export function readPragma(database: Database, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
