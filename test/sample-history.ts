import { sampleSubject } from "../src/store/samples.ts";
import { openSqliteStore } from "../src/store/sqlite.ts";

export interface SampleRun {
  /** Minutes after midnight of 2026-03-01. */
  minute: number;
  rates: Record<string, number | null>;
  benchmarkId?: string;
  level?: string;
  casesDigest?: string;
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
    await store.createRun({ id, plan: {}, startedAt: finishedAt, toolVersion: "1.0.0" });
    const { benchmarkId: suite = "bench", level = "unit", runs: trials = 1, casesDigest } = run;
    const subjects = Object.entries(run.rates).map(([skillId, rate]) =>
      sampleSubject({ skillId, suite, level, casesDigest, trials }, rate),
    );
    await store.finishRun(id, run.state ?? "done", subjects, finishedAt);
  }
}
