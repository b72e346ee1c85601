import { eachRow, type Row } from "../base/sqlite-driver.ts";
import type { Pages } from "../contract/store.ts";
import { paged } from "./paged.ts";
import type { Statements } from "./statements.ts";

/** What reading results needs of an open store. */
export interface ResultSource {
  path: string;
  sql: Pick<Statements, "selectCellsAfter" | "selectResultsAfter" | "selectResult">;
  /** Throws where the file is gone: a report over it would be the only trace of what it held. */
  refuseVanished(): void;
}

/** Results of one skill in plan order. */
export function resultsOfSkill(
  { path, sql, refuseVanished }: ResultSource,
  runId: string,
  skillId: string,
  suiteId: string | undefined,
): Pages<string> {
  let position = -1;
  let id = 0;
  return paged({
    path,
    rows() {
      refuseVanished();
      return eachRow(sql.selectResultsAfter, suiteId ?? null, runId, skillId, position, id);
    },
    take(row) {
      position = row.position as number;
      id = row.id as number;
      return row.data as string | null;
    },
  });
}

interface StoredCell {
  key: string;
  suiteId: string;
  position: number;
}

/** Results of everyone, suite by suite. No index has this order, so the keys are put in order first. */
export async function* resultsOfRun(
  source: ResultSource,
  runId: string,
  suiteId: string | undefined,
): Pages<string> {
  const cells: StoredCell[] = [];
  const inSuite = (row: Row) =>
    suiteId === undefined || suiteId === row.benchmark_id ? storedCell(row) : null;
  for await (const page of cellsOfRun(source, runId, inSuite)) cells.push(...page);
  cells.sort((a, b) => compare(a.suiteId, b.suiteId) || a.position - b.position);

  const { path, sql, refuseVanished } = source;
  let next = 0;
  function* rows(): Generator<Row> {
    refuseVanished();
    while (next < cells.length) {
      const row = sql.selectResult.get(runId, cells[next++]?.key ?? "");
      if (row !== undefined) yield row;
    }
  }
  yield* paged({ path, rows, take: ({ data }) => data as string });
}

/** Keys of the cells that have a verdict. */
export function verdictKeys(source: ResultSource, runId: string): Pages<string> {
  return cellsOfRun(source, runId, (row) => (row.status === "invalid" ? null : (row.cell_key as string)));
}

/** The cells that ended, without what they came to. */
function cellsOfRun<Value>(
  { path, sql, refuseVanished }: ResultSource,
  runId: string,
  read: (row: Row) => Value | null,
): Pages<Value> {
  let skillId = "";
  let position = -1;
  let id = 0;
  return paged({
    path,
    rows() {
      refuseVanished();
      return eachRow(sql.selectCellsAfter, runId, skillId, position, id);
    },
    take(row) {
      skillId = row.skill_id as string;
      position = row.position as number;
      id = row.id as number;
      return read(row);
    },
  });
}

function storedCell({ cell_key, benchmark_id, position }: Row): StoredCell {
  return { key: cell_key as string, suiteId: benchmark_id as string, position: position as number };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
