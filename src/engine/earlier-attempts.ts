import type { Cell } from "../contract/cell.ts";
import { type Attempt, parseCell } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";

/** What happened to a cell before this part of the run. An attempt that began and never ended is listed, not hidden. */
export function earlierAttempts(
  store: Pick<Store, "result" | "startedAttempts">,
  runId: string,
): (cell: Cell) => Promise<Attempt[]> {
  return async ({ key }) => {
    const started = await store.startedAttempts(runId, key);
    if (started.length === 0) return [];
    const stored = await store.result(runId, key);
    const ended = stored === null ? [] : parseCell(stored).attempts;
    return started.map((n) => ended.find((attempt) => attempt.n === n) ?? interrupted(n));
  };
}

function interrupted(n: number): Attempt {
  return { n, status: "interrupted", code: null, latencyMs: 0, message: "the run was interrupted" };
}
