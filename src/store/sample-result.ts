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
