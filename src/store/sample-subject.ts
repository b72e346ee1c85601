import type { MetricReport, SubjectReport } from "../contract/document.ts";

/** A subject for tests: two of three cells passed, and this was the rate. */
export function sampleSubject(changes: Partial<SubjectReport> = {}, rate: number | null = 1): SubjectReport {
  const metric = (value: number | null, better: MetricReport["better"] = "up"): MetricReport => ({
    value,
    interval: null,
    n: 3,
    better,
  });
  return {
    skillId: "skill",
    skillVersion: "1.0.0",
    skillDigest: "sha256:skill",
    suite: "bench",
    level: "unit",
    model: null,
    arm: null,
    trials: 1,
    counts: { total: 3, pass: 2, fail: 1, error: 0, timeout: 0, invalid: 0 },
    metrics: {
      completionRate: metric(rate),
      partialScore: metric(rate),
      errorRate: metric(rate === null ? null : 0.012345, "down"),
      compositeScore: metric(rate),
      latencyP95Ms: metric(412.34567, "down"),
    },
    byTag: {},
    details: { passAtK: null, passHatK: null, maxLatencyMs: 30_000, tokenCost: null },
    ...changes,
  };
}
