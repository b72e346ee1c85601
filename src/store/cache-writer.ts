import type { Database } from "../shared/files/sqlite-driver.ts";
import { rollBack } from "./migrate.ts";

/** Writes what the next time can do without: what is not taken now is tried again with the next write, and at the end. */
export class CacheWriter {
  readonly #database: Database;
  readonly #patienceMs: number;
  readonly #unwritten: (() => void)[] = [];
  #waitsMs: number | null = null;

  constructor(database: Database, patienceMs: number) {
    this.#database = database;
    this.#patienceMs = patienceMs;
    this.#bePatientFor(patienceMs);
  }

  /** Whether it was written. */
  write(work: () => void): boolean {
    this.#unwritten.push(work);
    try {
      this.#writeAll();
      this.#bePatientFor(this.#patienceMs);
      return true;
    } catch {
      this.#bePatientFor(0); // who holds the file may do so for long: a run does not wait again for each row
      return false;
    }
  }

  /** Writes what is left; throws what keeps it from that. */
  finish(): void {
    this.#bePatientFor(this.#patienceMs);
    if (this.#unwritten.length > 0) this.#writeAll();
  }

  #bePatientFor(waitsMs: number): void {
    if (waitsMs !== this.#waitsMs) this.#database.exec(`PRAGMA busy_timeout = ${waitsMs}`);
    this.#waitsMs = waitsMs;
  }

  #writeAll(): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const work of this.#unwritten) work();
      this.#database.exec("COMMIT");
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
    this.#unwritten.length = 0;
  }
}
