import type { RunState, StoredRun } from "../contract/store.ts";
import type { Row } from "../shared/files/sqlite-driver.ts";
import type { Json } from "../shared/json/json.ts";

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
