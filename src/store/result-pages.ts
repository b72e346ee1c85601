import type { Pages, ResultFilter } from "../contract/store.ts";
import { eachRow, type Row } from "../shared/files/sqlite-driver.ts";
import { paged } from "./paged.ts";
import type { Statements } from "./statements.ts";
import { guarded } from "./store-error.ts";

/** Where results are read from. */
export interface ResultSource {
  path: string;
  sql: Pick<Statements, "selectSubjectAfter" | "selectKeysAfter" | "selectResultsAfter">;
  /** Throws where the store is no longer there: a report over what is gone would be the only trace of it. */
  refuseVanished(): void;
}

/** Results as stored: subject by subject, each in plan order. */
export async function* resultsOfRun(
  source: ResultSource,
  runId: string,
  { level, suite, subject }: ResultFilter = {},
): Pages<string> {
  const { path, sql } = source;
  source.refuseVanished();
  if (level !== undefined && suite !== undefined && subject !== undefined)
    return yield* resultsOfSubject(source, runId, { level, suite, subject });
  // A run has many suites, so nothing before the wanted ones is passed through.
  let row: Row | undefined = {
    level: level ?? "",
    suite: level === undefined ? "" : (suite ?? ""),
    subject: "",
  };
  for (;;) {
    const { level: after = null, suite: within = null, subject: before = null }: Row = row;
    row = guarded(path, () => sql.selectSubjectAfter.get(runId, after, within, before));
    if (row === undefined) return;
    if ((level ?? row.level) !== row.level) return;
    if ((suite ?? row.suite) !== row.suite) {
      if (level !== undefined) return;
      continue;
    }
    if ((subject ?? row.subject) !== row.subject) continue;
    yield* resultsOfSubject(source, runId, row);
  }
}

function resultsOfSubject({ path, sql }: ResultSource, runId: string, subject: Row): Pages<string> {
  const { level = null, suite = null, subject: name = null } = subject;
  let after: [position: number, id: number] = [-1, 0];
  return paged({
    path,
    rows: () => eachRow(sql.selectResultsAfter, runId, level, suite, name, ...after),
    take(row) {
      after = [row.position as number, row.id as number];
      return row.data as string;
    },
  });
}

/** Keys of the cells that have a verdict. */
export function verdictKeys(source: ResultSource, runId: string): Pages<string> {
  const { path, sql } = source;
  source.refuseVanished();
  let after = "";
  return paged({
    path,
    rows: () => eachRow(sql.selectKeysAfter, runId, after),
    take(row) {
      after = row.cell_key as string;
      return row.status === "invalid" ? null : after;
    },
  });
}
