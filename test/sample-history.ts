import { sampleFigures } from "../src/contract/sample-figures.ts";
import type { StoredReport } from "../src/contract/store.ts";
import { openSqliteStore } from "../src/store/sqlite.ts";

export interface SampleRun {
  /** Minutes after midnight of 2026-03-01. */
  minute: number;
  rates: Record<string, number | null>;
  benchmarkId?: string;
  runs?: number;
  state?: "done" | "interrupted";
}

/** A time on 2026-03-01, as files write it. */
export function sampleTime(minute: number): string {
  return new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
}

/** Writes runs into a store as if they had happened; run ids are `run-1`, `run-2`, … */
export async function writeHistory(path: string, runs: readonly SampleRun[]): Promise<void> {
  await using store = await openSqliteStore(path);
  for (const [index, run] of runs.entries()) {
    const id = `run-${index + 1}`;
    const finishedAt = sampleTime(run.minute);
    const plan = { options: { runs: run.runs ?? 1 } };
    await store.createRun({ id, plan, startedAt: finishedAt, toolVersion: "1.0.0" });
    const reports = Object.entries(run.rates).map(
      ([skillId, rate]): StoredReport => ({
        skillId,
        benchmarkId: run.benchmarkId ?? "bench",
        skillVersion: "1.0.0",
        skillDigest: "sha256:x",
        figures: sampleFigures(rate),
        finishedAt,
      }),
    );
    await store.finishRun(id, run.state ?? "done", reports, finishedAt);
  }
}
