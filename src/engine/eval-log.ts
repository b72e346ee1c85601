import { closeSync, openSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LogLine } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import type { Pages } from "../contract/store.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";
import { type Disk, realDisk } from "../shared/files/disk.ts";
import { LineLog } from "../shared/files/line-log.ts";
import { makeFolder } from "../shared/files/paths.ts";
import { jsonLinesIn } from "../shared/json/json-lines.ts";
import { UserError, unwritable } from "../shared/user-error.ts";

export interface EvalLog extends AsyncDisposable {
  /** Settles when the line of a cell is on the disk, where it has one. */
  append(result: CellResult): Promise<void>;
  /** Adds the lines that are missing: the process may have died between writing the store and the log. */
  complete(lines: Pages<LogLine>): Promise<void>;
  /** Writes buffered lines now. */
  flush(): void;
  warnings: string[];
}

export interface EvalLogFacts {
  runId: string;
  /** Null where more results belong to the same line. */
  lineOf(result: CellResult): LogLine | null;
}

/** The line log: one line per ended cell or query, on the disk before it counts as done. Without a path there is none. */
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

function openLogFile(path: string, { runId, lineOf }: EvalLogFacts, disk: Disk): EvalLog {
  prepareEvalLog(path);
  const log = tryTo(path, () => new LineLog(path, disk));
  async function write({ kind, ...line }: LogLine): Promise<void> {
    try {
      await log.append(JSON.stringify({ schemaVersion: 1, kind, runId, ...line }));
    } catch (error) {
      throw unwritable(path, error, hint);
    }
  }

  return {
    warnings:
      log.droppedBytes > 0 ? [`${path}: dropped an incomplete last line of ${log.droppedBytes} bytes`] : [],
    async append(result) {
      const line = lineOf(result);
      if (line !== null) await write(line);
    },
    async complete(pages) {
      let logged: Set<string> | null = null;
      for await (const page of pages) {
        if (page.length === 0) continue;
        logged ??= await loggedNames(path, runId);
        const missing = page.filter((line) => !logged?.has(lineName(line)));
        const written = Promise.all(missing.map(write));
        log.flush();
        await written;
      }
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

/** Makes sure the log can be written, before any work is done. */
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

export function defaultEvalLog(outputDir: string): string {
  return join(outputDir, ".eval.jsonl");
}

async function loggedNames(path: string, runId: string): Promise<Set<string>> {
  const names = new Set<string>();
  const turns = new EventLoopTurns();
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unwritable(path, error, hint);
  });
  for (const line of jsonLinesIn(bytes)) {
    if (turns.isDue()) await turns.take();
    if (line.problem !== null) continue;
    const value = line.value as (LogLine & { runId?: unknown }) | null;
    if (value?.runId === runId) names.add(lineName(value));
  }
  return names;
}

function lineName({ skillId, cellKey, queryId, verdict }: LogLine): string {
  return JSON.stringify([skillId, cellKey, queryId, verdict]);
}
