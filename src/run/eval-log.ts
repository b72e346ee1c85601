import { closeSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Disk, realDisk } from "../base/disk.ts";
import { readJsonLines } from "../base/json-lines.ts";
import { LineLog } from "../base/line-log.ts";
import { makeFolder } from "../base/make-folder.ts";
import type { CellResult } from "../contract/result.ts";
import { UserError, unwritable } from "../contract/user-error.ts";
import type { LoadedSkill } from "../skills/targets/load-skills.ts";

export interface EvalLog extends AsyncDisposable {
  /** Settles when the line is on the disk. */
  append(result: CellResult): Promise<void>;
  /** Adds the lines that are missing of these results: the runner may have died between the store and the log. */
  complete(results: Iterable<CellResult>): Promise<void>;
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

/** The line log: one line per ended cell, on the disk before the cell counts as done. Without a path there is none. */
export function openEvalLog(path: string | null, facts: EvalLogFacts, disk: Disk = realDisk): EvalLog {
  return path === null ? noLog : openLogFile(path, facts, disk);
}

const noLog: EvalLog = {
  append: () => Promise.resolve(),
  complete: () => Promise.resolve(),
  flush: () => {},
  warnings: [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function openLogFile(path: string, { runId, benchmarkId, seed, skills }: EvalLogFacts, disk: Disk): EvalLog {
  const digests = new Map(skills.map(({ skill }) => [skill.id, skill.digest]));
  prepareEvalLog(path);
  const log = tryTo(path, () => new LineLog(path, disk));
  async function append(result: CellResult): Promise<void> {
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
      throw unwritable(path, error, hint);
    }
  }

  return {
    warnings: log.droppedBytes > 0 ? [`${path}: dropped a torn last line of ${log.droppedBytes} bytes`] : [],
    append,
    async complete(results) {
      const missing = tryTo(path, () => notLogged(path, runId, results));
      await Promise.all(missing.map(append));
    },
    flush: () => log.flush(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}

function tryTo<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof UserError ? error : unwritable(path, error, hint);
  }
}

/** Makes sure the log can be written; called early as well, before any work is done for it. */
export function prepareEvalLog(path: string | null): void {
  if (path === null) return;
  tryTo(path, () => {
    makeFolder(dirname(path));
    // Opening a pipe would wait for its reader for ever.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error("it is not a regular file");
    closeSync(openSync(path, "a"));
  });
}

const hint = "free some room, or name another file with --eval-log";

/** Where the line log lies when nobody said so. */
export function defaultEvalLog(outputDir: string): string {
  return join(outputDir, ".eval.jsonl");
}

function notLogged(path: string, runId: string, results: Iterable<CellResult>): CellResult[] {
  const missing: CellResult[] = [];
  let logged: Set<string> | null = null;
  for (const result of results) {
    logged ??= loggedVerdicts(path, runId);
    if (!logged.has(`${result.cellKey} ${result.status}`)) missing.push(result);
  }
  return missing;
}

function loggedVerdicts(path: string, runId: string): Set<string> {
  const lines = readJsonLines(path).values as { runId?: unknown; cellKey?: unknown; verdict?: unknown }[];
  return new Set(
    lines.filter((line) => line.runId === runId).map(({ cellKey, verdict }) => `${cellKey} ${verdict}`),
  );
}
