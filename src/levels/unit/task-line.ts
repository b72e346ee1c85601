import type { LogLine } from "../../contract/log-line.ts";
import type { CellResult } from "../../contract/result.ts";
import type { UnitDetails } from "./level.ts";

export interface TaskLineFacts {
  seed: number;
  /** Skill id → hash of its files. */
  digests: ReadonlyMap<string, string>;
}

/** What the line log says about the cell of a task. */
export function taskLine(result: CellResult, { seed, digests }: TaskLineFacts): LogLine {
  return {
    kind: "task",
    skillId: result.skillId ?? "",
    benchmarkId: result.suite,
    taskId: result.caseId,
    trial: result.trial,
    cellKey: result.key,
    verdict: result.status,
    cause: result.cause,
    score: result.score,
    reason: result.cause === null ? result.reason : null,
    latencyMs: result.latencyMs,
    attempts: result.attempts.length,
    scorerType: (result.details as UnitDetails).scorerType,
    seed,
    skillDigest: digests.get(result.skillId ?? "") ?? null,
    ts: result.finishedAt,
  };
}
