import type { Interval, MetricReport, SubjectReport } from "../contract/document.ts";
import type { CellResult } from "../contract/result.ts";

/** A result for tests: passed in 100 ms, but for what is given. */
export function sampleResult(given: Partial<CellResult> = {}): CellResult {
  const status = given.status ?? "pass";
  return {
    key: "sha256:cell",
    level: "unit",
    suite: "bench",
    skillId: "skill",
    caseId: "a",
    caseDigest: "sha256:task",
    trial: 1,
    model: null,
    arm: null,
    status,
    score: status === "invalid" ? null : Number(status === "pass"),
    cause: null,
    reason: null,
    latencyMs: 100,
    usage: null,
    costUsd: null,
    judge: null,
    containment: null,
    attempts: [],
    output: null,
    outputTruncated: false,
    outputBytes: 0,
    warnings: [],
    beganAtMs: 0,
    finishedAt: "2026-03-01T07:24:31.007Z",
    details: {},
    ...given,
  };
}

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

/** Bounds as the report of a run over 3 cases has them. */
export function sampleInterval(lower: number, upper: number, changes: Partial<Interval> = {}): Interval {
  const basis = { level: 0.95, method: "wilson-neff", estimates: "cases-like-these" } as const;
  return { lower, upper, ...basis, cases: 3, trials: 3, nEff: 3, ...changes };
}
