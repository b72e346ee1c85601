import type { StoredFigures } from "./store.ts";

/** Figures for tests: two of three cells passed, and this was the rate. */
export function sampleFigures(rate: number | null = 1): StoredFigures {
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
