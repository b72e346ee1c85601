import { type Database, eachRow, type Row } from "../base/sqlite-driver.ts";
import type { FinishedReport, ReportFilter, StoredFigures } from "../contract/store.ts";
import { readRows } from "./read-rows.ts";

/** Reports of runs that are done, newest first. */
export function* finishedReports(
  database: Database,
  path: string,
  { skillId = "", benchmarkId = "", isLatestOnly = false }: ReportFilter = {},
): Generator<FinishedReport> {
  const rows = readRows(path, () =>
    eachRow(
      database.prepare(selectFinished),
      ...[skillId, skillId, benchmarkId, benchmarkId],
      isLatestOnly ? 1 : 0,
    ),
  );
  for (const row of rows) yield finishedReport(row);
}

// Runs are told apart by when they were done; of two in one millisecond the one created later is the newer.
const selectFinished = `
  SELECT * FROM (
    SELECT reports.*, runs.rowid AS created, row_number() OVER (
        PARTITION BY skill_id, benchmark_id ORDER BY reports.finished_at DESC, runs.rowid DESC
      ) AS age
    FROM reports JOIN runs ON runs.id = reports.run_id
    WHERE runs.state = 'done' AND (? = '' OR skill_id = ?) AND (? = '' OR benchmark_id = ?)
  ) AS finished
  WHERE ? = 0 OR age = 1
  ORDER BY finished_at DESC, created DESC, skill_id, benchmark_id`;

function finishedReport(row: Row): FinishedReport {
  return {
    runId: row.run_id as string,
    skillId: row.skill_id as string,
    benchmarkId: row.benchmark_id as string,
    skillVersion: row.skill_version as string,
    skillDigest: row.skill_digest as string,
    figures: JSON.parse(row.summary as string) as StoredFigures,
    finishedAt: row.finished_at as string,
  };
}
