import type { TaskResult } from "./task-result.ts";

/** A result of a task for tests: passed in 100 ms, but for what is given. */
export function sampleTaskResult(given: Partial<TaskResult> = {}): TaskResult {
  const status = given.status ?? "pass";
  return {
    taskId: "a",
    skillId: "skill",
    trial: 1,
    taskDigest: "sha256:task",
    cellKey: "sha256:cell",
    status,
    score: status === "invalid" ? null : Number(status === "pass"),
    latencyMs: 100,
    scorerType: "exact_match",
    reason: null,
    output: null,
    outputTruncated: false,
    outputBytes: 0,
    error: null,
    usage: null,
    judge: null,
    weight: 1,
    tags: [],
    attempts: [],
    beganAtMs: 0,
    finishedAt: "2026-03-01T07:24:31.007Z",
    ...given,
  };
}
