import type { Database, Statement } from "../base/sqlite-driver.ts";

type StatementName =
  | "insertRun"
  | "takeRun"
  | "selectRun"
  | "selectUnfinished"
  | "insertStart"
  | "insertResult"
  | "selectResult"
  | "selectCellsAfter"
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
    selectUnfinished: database.prepare(
      `SELECT * FROM runs WHERE state <> 'done'
        OR EXISTS (SELECT 1 FROM results WHERE run_id = runs.id AND status = 'invalid')
        ORDER BY rowid DESC`, // by creation: the clock may have been set back in between
    ),
    insertStart: quick.prepare(
      "INSERT INTO cells_started (run_id, cell_key, attempt, started_at) VALUES (?, ?, ?, ?)",
    ),
    insertResult: quick.prepare(
      `INSERT INTO results (run_id, cell_key, position, skill_id, benchmark_id, task_id, trial, status, score,
          latency_ms, data, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (run_id, cell_key) DO UPDATE SET status = excluded.status, score = excluded.score,
          latency_ms = excluded.latency_ms, data = excluded.data, finished_at = excluded.finished_at
        WHERE results.status = 'invalid'`,
    ),
    selectResult: database.prepare("SELECT data FROM results WHERE run_id = ? AND cell_key = ?"),
    // Both follow an index from where the last page ended: a page costs the same wherever it lies.
    selectCellsAfter: database.prepare(
      `SELECT cell_key, skill_id, benchmark_id, position, status, rowid AS id FROM results
        WHERE run_id = ? AND (skill_id, position, rowid) > (?, ?, ?) ORDER BY skill_id, position, rowid`,
    ),
    // Other suites are read over instead of filtered out: else one page could have to pass a hundred thousand rows.
    selectResultsAfter: database.prepare(
      `SELECT position, rowid AS id, CASE WHEN benchmark_id = coalesce(?, benchmark_id) THEN data END AS data
        FROM results WHERE run_id = ? AND skill_id = ? AND (position, rowid) > (?, ?) ORDER BY position, rowid`,
    ),
    selectStarts: database.prepare(
      "SELECT attempt FROM cells_started WHERE run_id = ? AND cell_key = ? ORDER BY attempt",
    ),
    insertReport: database.prepare(
      `INSERT INTO reports (run_id, skill_id, benchmark_id, skill_version, skill_digest, summary, finished_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (run_id, skill_id, benchmark_id) DO UPDATE SET summary = excluded.summary,
          skill_version = excluded.skill_version, skill_digest = excluded.skill_digest,
          finished_at = excluded.finished_at`,
    ),
    endRun: database.prepare("UPDATE runs SET state = ?, finished_at = ?, owner = NULL WHERE id = ?"),
  };
}
