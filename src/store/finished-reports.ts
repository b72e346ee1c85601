import { type Database, eachRow, type Row } from "../base/sqlite-driver.ts";
import type { FinishedReport, Pages, ReportFilter, StoredFigures } from "../contract/store.ts";
import { paged } from "./paged.ts";
import { guarded } from "./store-error.ts";

/** Reports of runs that are done, newest first. Only their names are put in order at once; the figures come page by page. */
export async function* finishedReports(
  database: Database,
  path: string,
  { skillId = "", benchmarkId = "", isLatestOnly = false }: ReportFilter = {},
): Pages<FinishedReport> {
  const names = guarded(path, () => [
    ...eachRow(
      database.prepare(selectFinished),
      ...[skillId, skillId, benchmarkId, benchmarkId],
      isLatestOnly ? 1 : 0,
    ),
  ]);
  const selectReport = guarded(path, () => database.prepare(selectNamed));
  let next = 0;
  function* rows(): Generator<Row> {
    for (;;) {
      const name = names[next++];
      if (name === undefined) return;
      const row = selectReport.get(name.run_id ?? null, name.skill_id ?? null, name.benchmark_id ?? null);
      if (row !== undefined) yield row; // else it was pruned meanwhile
    }
  }
  yield* paged({ path, rows, take: finishedReport });
}

// Runs are told apart by when they were done; of two in one millisecond the one created later is the newer.
const selectFinished = `
  SELECT run_id, skill_id, benchmark_id FROM (
    SELECT run_id, skill_id, benchmark_id, reports.finished_at, runs.rowid AS created, row_number() OVER (
        PARTITION BY skill_id, benchmark_id ORDER BY reports.finished_at DESC, runs.rowid DESC
      ) AS age
    FROM reports JOIN runs ON runs.id = reports.run_id
    WHERE runs.state = 'done' AND (? = '' OR skill_id = ?) AND (? = '' OR benchmark_id = ?)
  ) AS finished
  WHERE ? = 0 OR age = 1
  ORDER BY finished_at DESC, created DESC, skill_id, benchmark_id`;

const selectNamed = "SELECT * FROM reports WHERE run_id = ? AND skill_id = ? AND benchmark_id = ?";

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
