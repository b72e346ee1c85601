import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { kindIn, plainFileIn } from "./plain-file-in.ts";
import { readEvent } from "./read-event.ts";

type Problem = NonNullable<RecordedRun["problem"]>;

/** Bytes of a log, and of any other file of a run. */
const maxLogBytes = 256 << 20;
const maxFileLength = 64 << 20;

/**
 * Reads a run directory, whoever wrote it. The first fault of its log is the problem; whatever else can be read is returned
 * all the same. `written` is the digest of the log where its writer kept it: another log has a problem.
 */
export function readRun(path: string, written: string | null = null): RecordedRun {
  const dir = resolve(path);
  const read = (ref: string) => plainFileIn(dir, ref, maxFileLength);
  const events: AgentEvent[] = [];
  const warnings: string[] = [];
  let problem: Problem | null = null;
  const damage = (message: string, line: number | null): void => {
    problem ??= { code: "LogDamaged", message, line };
  };

  const bytes = plainFileIn(dir, "events.jsonl", maxLogBytes);
  const { lines, torn } = splitLines(bytes ?? new Uint8Array());
  if (torn) warnings.push(`line ${lines.length + 1} is incomplete and was dropped`);
  if (bytes === null)
    problem = {
      code: "RunIncomplete",
      message: "events.jsonl is missing, unreadable, or larger than 256 MiB",
      line: null,
    };

  for (const [at, line] of lines.entries()) {
    const found = readEvent(line, at + 1, events[0]?.run_id);
    if (found.kind === "event") events.push(found.event);
    else if (found.kind === "unknown") warnings.push(`line ${at + 1}: ${found.message}`);
    else damage(`line ${at + 1} ${found.message}`, at + 1);
  }
  if (bytes !== null && written !== null && sha256(bytes) !== written)
    problem = {
      code: "LogDamaged",
      message: "events.jsonl was changed after it had been written",
      line: null,
    };
  problem ??= checkOrder(events);

  return {
    dir,
    runId: events[0]?.run_id ?? basename(dir),
    events,
    lines,
    warnings,
    problem,
    final: decodeText(read("final.md")),
    hasWorkspace: lstatSync(join(dir, "sandbox"), { throwIfNoEntry: false })?.isDirectory() ?? false,
    read,
    kindAt: (ref) => kindIn(dir, ref),
  };
}

function decodeText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Whether a run begins and ends in its log, once each, and nothing happens before or after. */
function checkOrder(events: readonly AgentEvent[]): RecordedRun["problem"] {
  const [first] = events;
  if (first === undefined) return { code: "RunIncomplete", message: "nothing was recorded", line: null };
  if (first.type !== "run_started") return damaged("run_started must come first", first.seq);
  const second = events.find(({ type }, at) => at > 0 && type === "run_started");
  if (second !== undefined) return damaged("duplicate run_started", second.seq);
  const end = events.findIndex(({ type }) => type === "run_finished");
  if (end === -1)
    return { code: "RunIncomplete", message: "the run did not end: run_finished is missing", line: null };
  const after = events[end + 1];
  return after === undefined ? null : damaged(`${after.type} comes after run_finished`, after.seq);
}

function damaged(message: string, line: number): RecordedRun["problem"] {
  return { code: "LogDamaged", message: `line ${line}: ${message}`, line };
}

/**
 * The lines of a log, without their line ends. A last line that is not a whole JSON object is torn: its writer was interrupted.
 * A whole one counts even if an editor removed its newline. Invalid UTF-8 makes a line empty, which no reader accepts.
 */
function splitLines(bytes: Uint8Array): { lines: string[]; torn: boolean } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isClean = isUtf8(buffer);
  const lines = isClean ? buffer.toString().split("\n") : strictLines(buffer);
  const last = lines.pop() ?? "";
  if (last !== "") lines.push(last);
  const end = lines.at(-1);
  if (end === undefined || isWhole(end)) return { lines, torn: false };
  lines.pop();
  return { lines, torn: true };
}

function strictLines(buffer: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= buffer.length; ) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline === -1 ? buffer.length : newline;
    const line = buffer.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString() : "");
    start = end + 1;
  }
  return lines;
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}
