import type { StoredFigures, StoredReport } from "../src/contract/store.ts";
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
        summary: JSON.parse(JSON.stringify(figures(rate))),
        finishedAt,
      }),
    );
    await store.finishRun(id, run.state ?? "done", reports, finishedAt);
  }
}

function figures(rate: number | null): StoredFigures {
  return {
    counts: { total: 3, pass: 2, fail: 1, error: 0, timeout: 0, invalid: 0 },
    summary: {
      completionRate: rate,
      partialScore: rate,
      errorRate: rate === null ? null : 0.012345,
      consistencyScore: null,
      flakeRate: null,
      compositeScore: rate,
      intervals: { completionRate: null, partialScore: null },
      passAtK: null,
      passHatK: null,
    },
    latency: { p50Ms: 10, p95Ms: 412.34567, p99Ms: 500, latP95Norm: 0.01, maxLatencyMs: 30_000 },
    tokenCost: null,
  };
}
