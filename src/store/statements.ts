import type { Database, Statement } from "../shared/files/sqlite-driver.ts";

type StatementName =
  | "insertRun"
  | "takeRun"
  | "selectRun"
  | "selectEarlier"
  | "selectInterrupted"
  | "selectWithInvalid"
  | "selectDone"
  | "insertStart"
  | "insertResult"
  | "updateResult"
  | "selectResult"
  | "selectSubjectAfter"
  | "selectKeysAfter"
  | "selectResultsAfter"
  | "selectStarts"
  | "insertReport"
  | "endRun";

export type Statements = Record<StatementName, Statement>;

/** Every statement of the store, in SQL that SQLite and PostgreSQL both read. */
export function prepareStatements(database: Database, quick: Database): Statements {
  return {
    insertRun: database.prepare(
      "INSERT INTO runs (id, plan, started_at, tool_version, owner, state) VALUES (?, ?, ?, ?, ?, 'running')",
    ),
    takeRun: database.prepare(
      "UPDATE runs SET owner = ?, state = 'running', finished_at = NULL WHERE id = ?",
    ),
    selectRun: database.prepare("SELECT * FROM runs WHERE id = ?"),
    selectEarlier: database.prepare(
      `SELECT * FROM runs WHERE rowid < (SELECT rowid FROM runs WHERE id = ?1) OR ?1 IS NULL ORDER BY rowid DESC`,
    ),
    // The newest first, by creation: the clock may have been set back in between.
    selectInterrupted: database.prepare("SELECT * FROM runs WHERE state <> 'done' ORDER BY rowid DESC"),
    selectWithInvalid: database.prepare(
      `SELECT * FROM runs WHERE EXISTS (SELECT 1 FROM results WHERE run_id = runs.id AND status = 'invalid')
        ORDER BY rowid DESC`,
    ),
    selectDone: database.prepare("SELECT * FROM runs WHERE state = 'done' ORDER BY rowid DESC"),
    insertStart: quick.prepare(
      "INSERT INTO cells_started (run_id, cell_key, attempt, started_at) VALUES (?, ?, ?, ?)",
    ),
    insertResult: quick.prepare(
      `INSERT INTO results (run_id, cell_key, level, suite, subject, position, case_id, trial, status, score,
          latency_ms, data, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (run_id, cell_key) DO UPDATE SET status = excluded.status, score = excluded.score,
          latency_ms = excluded.latency_ms, data = excluded.data, finished_at = excluded.finished_at
        WHERE results.status = 'invalid'`,
    ),
    updateResult: database.prepare(
      "UPDATE results SET status = ?, score = ?, data = ? WHERE run_id = ? AND cell_key = ?",
    ),
    selectResult: database.prepare("SELECT data FROM results WHERE run_id = ? AND cell_key = ?"),
    // From one subject to the next along the index: looking for all of them at once would pass every cell.
    selectSubjectAfter: database.prepare(
      `SELECT level, suite, subject FROM results WHERE run_id = ? AND (level, suite, subject) > (?, ?, ?)
        ORDER BY level, suite, subject LIMIT 1`,
    ),
    // Both follow an index from where the last page ended: a page costs the same wherever it lies.
    selectKeysAfter: database.prepare(
      `SELECT cell_key, status FROM results WHERE run_id = ? AND cell_key > ? ORDER BY cell_key`,
    ),
    selectResultsAfter: database.prepare(
      `SELECT position, rowid AS id, data FROM results WHERE run_id = ? AND level = ? AND suite = ? AND subject = ?
        AND (position, rowid) > (?, ?) ORDER BY position, rowid`,
    ),
    selectStarts: database.prepare(
      "SELECT attempt FROM cells_started WHERE run_id = ? AND cell_key = ? ORDER BY attempt",
    ),
    insertReport: database.prepare(
      `INSERT INTO reports (run_id, level, suite, subject, data, finished_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (run_id, level, suite, subject) DO UPDATE SET data = excluded.data,
          finished_at = excluded.finished_at`,
    ),
    endRun: database.prepare("UPDATE runs SET state = ?, finished_at = ?, owner = NULL WHERE id = ?"),
  };
}
