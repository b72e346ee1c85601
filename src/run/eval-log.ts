import { dirname, join } from "node:path";
import { LineLog } from "../base/line-log.ts";
import { makeFolder } from "../base/make-folder.ts";
import type { CellResult } from "../contract/result.ts";
import { UserError } from "../contract/user-error.ts";
import type { LoadedSkill } from "../skills/load-skills.ts";

export interface EvalLog extends AsyncDisposable {
  /** Settles when the line is on the disk. */
  append(result: CellResult): Promise<void>;
  /** Writes what was gathered now instead of in a moment. */
  flush(): void;
  warnings: string[];
}

export interface EvalLogFacts {
  runId: string;
  benchmarkId: string;
  seed: number;
  skills: readonly LoadedSkill[];
}

/** The line log: one line per ended cell, on the disk before the cell counts as done. */
export function openEvalLog(path: string, { runId, benchmarkId, seed, skills }: EvalLogFacts): EvalLog {
  const digests = new Map(skills.map(({ skill }) => [skill.id, skill.digest]));
  const log = naming(path, () => {
    makeFolder(dirname(path));
    return new LineLog(path);
  });
  return {
    warnings: log.droppedBytes > 0 ? [`${path}: dropped a torn last line of ${log.droppedBytes} bytes`] : [],
    async append(result) {
      const line = {
        schemaVersion: 1,
        kind: "task",
        runId,
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
      try {
        await log.append(JSON.stringify(line));
      } catch (error) {
        throw unwritable(path, error);
      }
    },
    flush: () => log.flush(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}

/** Where the line log lies when nobody said so. */
export function defaultEvalLog(outputDir: string): string {
  return join(outputDir, ".eval.jsonl");
}

function naming<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): UserError {
  return new UserError(
    "output-unwritable",
    `the log ${path} cannot be written: ${(error as Error).message}`,
    {
      path,
      hint: "free some room, or name another file with --eval-log",
      cause: error,
    },
  );
}
