import { closeSync, createReadStream, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LogLine } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";
import { type Disk, realDisk } from "../shared/files/disk.ts";
import { LineLog } from "../shared/files/line-log.ts";
import { makeFolder } from "../shared/files/paths.ts";
import { jsonLinesIn } from "../shared/json/json-lines.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { UserError, unwritable } from "../shared/user-error.ts";

export interface EvalLog extends AsyncDisposable {
  /** Settles when the line of a cell is on the disk, where it has one. */
  append(result: CellResult): Promise<void>;
  /** Adds what is missing of lines that must be there: the process may have died between writing the store and the log. */
  complete(lines: readonly LogLine[]): Promise<void>;
  /** Writes buffered lines now. */
  flush(): void;
  /** What was wrong with it, once all that must be there is. */
  warnings(): string[];
}

export interface EvalLogFacts {
  runId: string;
  /** Null where more results belong to the same line. */
  lineOf(result: CellResult): LogLine | null;
  /** Whether the run is made of verdicts of others, which are not in this log, as it has to be. */
  isNew?: boolean;
}

/** The line log: one line per ended cell or query, on the disk before it counts as done. Without a path there is none. */
export function openEvalLog(path: string | null, facts: EvalLogFacts, disk: Disk = realDisk): EvalLog {
  return path === null ? noLog : openLogFile(path, facts, disk);
}

const noLog: EvalLog = {
  append: () => Promise.resolve(),
  complete: () => Promise.resolve(),
  flush: () => {},
  warnings: () => [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function openLogFile(path: string, { runId, lineOf, isNew = false }: EvalLogFacts, disk: Disk): EvalLog {
  prepareEvalLog(path);
  const log = tryTo(path, () => new LineLog(path, disk));
  async function write({ kind, ...line }: LogLine): Promise<void> {
    try {
      await log.append(JSON.stringify({ schemaVersion: 1, kind, runId, ...line }));
    } catch (error) {
      throw unwritable(path, error, hintFor(error));
    }
  }

  let logged: Map<string, string | null> | null = null;
  let added = 0;
  let differing = 0;

  return {
    async append(result) {
      const line = lineOf(result);
      if (line !== null) await write(line);
    },
    async complete(lines) {
      if (lines.length === 0) return;
      logged ??= await loggedVerdicts(path, runId);
      const known = logged;
      const missing = lines.filter((line) => {
        const name = lineName(line);
        const verdict = known.get(name);
        known.delete(name); // what is left in the end has no result
        if (verdict === undefined) added++;
        else if (verdict !== line.verdict && verdict !== "invalid") differing++;
        return verdict !== line.verdict;
      });
      const written = Promise.all(missing.map(write));
      log.flush();
      await written;
    },
    flush: () => log.flush(),
    warnings() {
      const unknown = [...(logged ?? [])].filter(([, verdict]) => verdict !== "invalid").length;
      const words = [
        [log.droppedBytes, `dropped an incomplete last line of ${log.droppedBytes} bytes`],
        [isNew ? 0 : added, `added ${pluralize(added, "line")} that the store has and the log lacked`],
        [differing, `${pluralize(differing, "line")} differed from the store, which counts`],
        [unknown, `no result in the store for ${pluralize(unknown, "line")} of this run; the store counts`],
      ] as const;
      return words.flatMap(([count, message]) => (count === 0 ? [] : [`${path}: ${message}`]));
    },
    [Symbol.asyncDispose]: () => log.close(),
  };
}

function tryTo<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof UserError ? error : unwritable(path, error, hintFor(error));
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

const otherFile = "name another file with --eval-log";

/** What helps: where a disk is full, room does too. */
function hintFor(error: unknown): string {
  const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes((error as NodeJS.ErrnoException).code ?? "");
  return isFull ? `free some room, or ${otherFile}` : otherFile;
}

export function defaultEvalLog(outputDir: string): string {
  return join(outputDir, ".eval.jsonl");
}

/** The last verdict of each thing the log tells of a run. It may hold many runs, so it is read in pieces. */
async function loggedVerdicts(path: string, runId: string): Promise<Map<string, string | null>> {
  const verdicts = new Map<string, string | null>();
  const turns = new EventLoopTurns();
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: readTogether })) {
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      for (const line of jsonLinesIn(bytes.subarray(0, end))) {
        if (turns.isDue()) await turns.take();
        if (line.problem !== null) continue;
        const value = line.value as (LogLine & { runId?: unknown }) | null;
        if (value?.runId === runId) verdicts.set(lineName(value), value.verdict);
      }
    }
  } catch (error) {
    throw unwritable(path, error, hintFor(error));
  }
  return verdicts;
}

const readTogether = 1024 * 1024;

function lineName({ skillId, cellKey, queryId }: LogLine): string {
  return JSON.stringify([skillId, cellKey, queryId]);
}
