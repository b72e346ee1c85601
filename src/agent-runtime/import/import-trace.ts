import type { RunLog } from "../../contract/agent-log.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { readClaudeCode } from "./claude-code.ts";
import { readOpenai } from "./openai.ts";
import { readOtel } from "./otel.ts";
import { invalid, type LocatedValue, limitWarnings, readValues } from "./read-values.ts";
import type { ImportedRun, SkillFolder, Trace, TraceKind } from "./trace.ts";
import { traceEvents } from "./trace-events.ts";

/** Changes when a trace of before would become other events. */
const importerVersion = 1;

const readers: Record<TraceKind, (values: readonly LocatedValue[]) => Trace> = {
  "claude-code": readClaudeCode,
  openai: readOpenai,
  otel: readOtel,
};

/** Converts the trace of another agent to a run. States what is unknown; invents nothing. */
export function importTrace(
  kind: TraceKind,
  bytes: Uint8Array,
  { skills }: { skills: readonly SkillFolder[] },
): ImportedRun {
  const { values, warnings } = readValues(bytes);
  const trace = readers[kind](values);
  if (trace.turns.length === 0) throw invalid(`contains no model reply in the format ${kind}`);
  const run = traceEvents(kind, trace, skills, {
    file_sha256: sha256(bytes),
    importer_version: importerVersion,
  });
  return { ...run, warnings: [...warnings, ...limitWarnings(trace.warnings)] };
}

/** Writes an imported run as an ordinary run directory. */
export function writeImportedRun(run: ImportedRun, log: RunLog): void {
  const request = run.request === null ? null : log.writeRequest(run.request);
  const final = run.final === null ? null : log.writeFinal(run.final);
  const times = run.events.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
  // Where only some events have a time, the others happened beside their neighbours, not today.
  let last = times[0];
  log.emit(
    0,
    "run_started",
    { ...run.started, request_ref: request?.ref ?? null, request_sha256: request?.sha256 ?? null },
    last,
  );
  for (const { turn, type, data, atMs } of run.events) {
    last = atMs ?? last;
    log.emit(turn, type, data, last);
  }
  log.emit(0, "run_finished", { ...run.finished, final }, last);
}
