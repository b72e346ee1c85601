import { statSync } from "node:fs";
import type { Pruned, PruneOptions } from "../contract/store.ts";
import { type Database, readPragma } from "../shared/files/sqlite-driver.ts";
import { rewriteGivingBack, rollBack } from "./migrate.ts";
import { guarded } from "./store-error.ts";

/** Removes the runs that were done before a time and what was last used before one, or finds out what that would remove. */
export function pruneStore(database: Database, path: string, options: PruneOptions): Pruned {
  return guarded(path, () => {
    checkpoint(database);
    const sizeBefore = fileSize(path);
    const pruned = removeOld(database, options);
    if (options.isDryRun) return pruned;
    if (pruned.bytesFreed > 0) giveRoomBack(database);
    return { ...pruned, bytesFreed: Math.max(0, sizeBefore - fileSize(path)) };
  });
}

/** Removes everything in one transaction; a dry run does the same and rolls back, so its figures are exact. */
function removeOld(database: Database, { before, unusedSince, isDryRun }: PruneOptions): Pruned {
  database.exec("BEGIN IMMEDIATE");
  try {
    const runs = before === null ? { runs: 0, keptUnfinished: 0 } : deleteRuns(database, before);
    const unused = unusedSince === undefined ? { vectors: 0, cache: 0 } : deleteUnused(database, unusedSince);
    const pruned = { ...runs, ...unused, bytesFreed: freeBytes(database) };
    database.exec(isDryRun ? "ROLLBACK" : "COMMIT");
    return pruned;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function deleteRuns(database: Database, before: string): Pick<Pruned, "runs" | "keptUnfinished"> {
  const runs = deleteWith(database, "SELECT id FROM runs WHERE state = 'done' AND finished_at < ?", before);
  const unfinished = database.prepare(
    "SELECT count(*) AS n FROM runs WHERE state IN ('running', 'interrupted') AND coalesce(finished_at, started_at) < ?",
  );
  return { runs, keptUnfinished: unfinished.all(before)[0]?.n as number };
}

/** Removes one run with everything that belongs to it, and leaves its space for the next. */
export function deleteRun(database: Database, runId: string): void {
  deleteWith(database, "SELECT ?", runId);
}

/** Removes the chosen runs with everything that belongs to them, and says how many there were. */
function deleteWith(database: Database, chosen: string, parameter: string): number {
  for (const table of ["results", "cells_started", "reports"])
    database.prepare(`DELETE FROM ${table} WHERE run_id IN (${chosen})`).run(parameter);
  return Number(database.prepare(`DELETE FROM runs WHERE id IN (${chosen})`).run(parameter).changes);
}

/** Nobody can know which catalogs and questions will come back, so what counts is when a row was last of use. */
function deleteUnused(database: Database, since: string): Pick<Pruned, "vectors" | "cache"> {
  const drop = (table: string) =>
    Number(database.prepare(`DELETE FROM ${table} WHERE used_at < ?`).run(since).changes);
  drop("routing_floors");
  return { vectors: drop("routing_vectors"), cache: drop("judge_replies") };
}

/** The size of the pages that are free. */
function freeBytes(database: Database): number {
  return (readPragma(database, "freelist_count") as number) * (readPragma(database, "page_size") as number);
}

const incremental = 2;

/**
 * Costs as much as is given back, whatever else the store holds; only a store of a version that made other files is written
 * anew, once. While others work on the file it cannot be made smaller; they will fill the free pages again.
 */
function giveRoomBack(database: Database): void {
  try {
    if (readPragma(database, "auto_vacuum") === incremental)
      database.prepare("PRAGMA incremental_vacuum").all();
    else rewriteGivingBack(database);
  } catch (error) {
    if (!/locked|busy/i.test((error as Error).message)) throw error;
  }
  checkpoint(database);
}

/** Brings the log into the file, so that the sizes before and after can be compared. */
function checkpoint(database: Database): void {
  database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
}

function fileSize(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
