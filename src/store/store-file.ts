import { existsSync } from "node:fs";
import { openOrClose } from "../shared/async/open-or-close.ts";
import type { Database } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";
import { rollBack } from "./migrate.ts";
import { openQuickConnection, openStoreFile, settle } from "./open-file.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { guarded } from "./store-error.ts";

/** The file of a store: its two connections, its statements and its transactions. */
export class StoreFile {
  readonly path: string;
  readonly database: Database;
  readonly sql: Statements;
  /** Commits without waiting for the disk; the log is synced beside it. */
  readonly #quick: Database;

  private constructor(path: string, database: Database, quick: Database) {
    this.path = path;
    this.database = database;
    this.#quick = quick;
    this.sql = this.guarded(() => prepareStatements(database, quick));
  }

  static async open(path: string, migrations: readonly string[]): Promise<StoreFile> {
    const database = await openStoreFile(path, migrations);
    const quick = await openQuickConnection(path, database);
    const close = () => closeBoth(quick, database);
    return openOrClose(close, async () => new StoreFile(path, database, quick));
  }

  /** Does something with the file; whatever SQLite throws names it. */
  guarded<Value>(work: () => Value): Value {
    return guarded(this.path, work);
  }

  transaction(work: () => void, connection = this.database): void {
    this.guarded(() => {
      connection.exec("BEGIN IMMEDIATE");
      try {
        work();
        connection.exec("COMMIT");
      } catch (error) {
        rollBack(connection);
        throw error;
      }
    });
  }

  /** Commits writes of the quick connection together. */
  commitAll(writes: readonly (() => void)[]): void {
    const [only, ...others] = writes;
    // One statement is a transaction by itself; beginning and committing would take longer than it does.
    if (only !== undefined && others.length === 0) this.guarded(only);
    else
      this.transaction(() => {
        for (const write of writes) write();
      }, this.#quick);
  }

  /** SQLite goes on writing into a file that was deleted under it: nothing of that would ever be found again. */
  refuseVanished(): void {
    if (existsSync(this.path)) return;
    throw new UserError("store-unusable", "the store was deleted during the run", {
      path: this.path,
      hint: "run again, and keep the store in place until the run ends",
    });
  }

  close(): void {
    settle(this.database);
    this.closeConnections();
  }

  closeConnections(): void {
    closeBoth(this.#quick, this.database);
  }
}

function closeBoth(quick: Database, database: Database): void {
  quick.close();
  database.close();
}
