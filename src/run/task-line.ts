import type { CellResult } from "../contract/result.ts";
import type { LogLine } from "./eval-log.ts";

export interface TaskLineFacts {
  benchmarkId: string;
  seed: number;
  /** Skill id → hash of its files. */
  digests: ReadonlyMap<string, string>;
}

/** What the line log says about the cell of a task. */
export function taskLine(result: CellResult, { benchmarkId, seed, digests }: TaskLineFacts): LogLine {
  return {
    kind: "task",
    skillId: result.skillId,
    benchmarkId,
    taskId: result.taskId,
    trial: result.trial,
    cellKey: result.cellKey,
    verdict: result.status,
    cause: result.error?.code ?? null,
    score: result.score,
    reason: result.reason,
    latencyMs: result.latencyMs,
    attempts: result.attempts.length,
    scorerType: result.scorerType,
    seed,
    skillDigest: digests.get(result.skillId) ?? null,
    ts: result.finishedAt,
  };
}
