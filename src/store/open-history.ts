import { statSync } from "node:fs";
import type { SubjectReport } from "../contract/document.ts";
import type {
  FinishedReport,
  Pages,
  ReportFilter,
  RunHistory,
  RunState,
  StoredRun,
} from "../contract/store.ts";
import { type Database, eachRow, type Row } from "../shared/files/sqlite-driver.ts";
import type { Json } from "../shared/json/json.ts";
import { migrations } from "./migrations.ts";
import { openForReading } from "./open-file.ts";
import { paged } from "./paged.ts";
import { guarded } from "./store-error.ts";

/** Opens a store to look back. Where there is none, null: looking creates nothing. */
export async function openSqliteHistory(path: string): Promise<RunHistory | null> {
  if (!hasSqliteStore(path)) return null;
  const database = await openForReading(path, migrations);
  return {
    async findRun(runId) {
      const row = guarded(path, () => database.prepare("SELECT * FROM runs WHERE id = ?").get(runId));
      return row === undefined ? null : storedRun(row);
    },
    finishedReports: (filter) => finishedReports(database, path, filter),
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

/** Whether there is a store. What cannot be checked is left to the opening, which reports why. */
export function hasSqliteStore(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !(found.isFile() && found.size === 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}

/** Reports of runs that are done, newest first. Only their names are put in order at once; the figures come page by page. */
export async function* finishedReports(
  database: Database,
  path: string,
  { level = "", suite = "", subject = "", isLatestOnly = false }: ReportFilter = {},
): Pages<FinishedReport> {
  const names = guarded(path, () => [
    ...eachRow(
      database.prepare(selectFinished),
      ...[level, level, suite, suite, subject, subject],
      isLatestOnly ? 1 : 0,
    ),
  ]);
  const selectReport = guarded(path, () => database.prepare(selectNamed));
  let next = 0;
  function* rows(): Generator<Row> {
    for (;;) {
      const name = names[next++];
      if (name === undefined) return;
      const row = selectReport.get(
        name.run_id ?? null,
        name.level ?? null,
        name.suite ?? null,
        name.subject ?? null,
      );
      if (row !== undefined) yield row; // else it was pruned meanwhile
    }
  }
  yield* paged({ path, rows, take: finishedReport });
}

// Runs are ordered by when they were done; of two in one millisecond the one created later is the newer.
const selectFinished = `
  SELECT run_id, level, suite, subject FROM (
    SELECT run_id, level, suite, subject, reports.finished_at, runs.rowid AS created, row_number() OVER (
        PARTITION BY level, suite, subject ORDER BY reports.finished_at DESC, runs.rowid DESC
      ) AS age
    FROM reports JOIN runs ON runs.id = reports.run_id
    WHERE runs.state = 'done' AND (? = '' OR level = ?) AND (? = '' OR suite = ?) AND (? = '' OR subject = ?)
  ) AS finished
  WHERE ? = 0 OR age = 1
  ORDER BY finished_at DESC, created DESC, subject, level, suite`;

const selectNamed = "SELECT * FROM reports WHERE run_id = ? AND level = ? AND suite = ? AND subject = ?";

function finishedReport(row: Row): FinishedReport {
  return {
    runId: row.run_id as string,
    finishedAt: row.finished_at as string,
    subject: JSON.parse(row.data as string) as SubjectReport,
  };
}

/** A row of `runs` in the words of the contract. */
export function storedRun(row: Row): StoredRun {
  return {
    id: row.id as string,
    state: row.state as RunState,
    plan: JSON.parse(row.plan as string) as Json,
    startedAt: row.started_at as string,
    finishedAt: row.finished_at as string | null,
    toolVersion: row.tool_version as string,
  };
}
