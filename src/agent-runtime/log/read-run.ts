import { lstatSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { checkOrder } from "./check-order.ts";
import { kindIn, plainFileIn } from "./plain-file-in.ts";
import { readEvent } from "./read-event.ts";
import { splitLines } from "./split-lines.ts";

type Problem = NonNullable<RecordedRun["problem"]>;

/** Bytes of a log, and of any other file of a run. */
const maxLogBytes = 256 << 20;
const maxFileLength = 64 << 20;

/**
 * Reads a run directory, whoever wrote it. The first thing that is wrong with its log is the problem; what can be read beside it is
 * there all the same, for whoever looks.
 */
export function readRun(path: string): RecordedRun {
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
  problem ??= checkOrder(events);

  return {
    dir,
    runId: events[0]?.run_id ?? basename(dir),
    events,
    lines,
    warnings,
    problem,
    final: textOf(read("final.md")),
    hasWorkspace: lstatSync(join(dir, "sandbox"), { throwIfNoEntry: false })?.isDirectory() ?? false,
    read,
    kindAt: (ref) => kindIn(dir, ref),
  };
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
