import { sha256 } from "../../shared/json/canonical-json.ts";
import { readClaudeCode } from "./claude-code.ts";
import type { ImportedRun, TraceKind } from "./imported-run.ts";
import { readOpenai } from "./openai.ts";
import { readOtel } from "./otel.ts";
import { atMost, invalid, type PlacedValue, readValues } from "./read-values.ts";
import type { SkillFolder, Trace } from "./trace.ts";
import { traceEvents } from "./trace-events.ts";

/** Changes when a trace of before would become other events. */
const importerVersion = 1;

const readers: Record<TraceKind, (values: readonly PlacedValue[]) => Trace> = {
  "claude-code": readClaudeCode,
  openai: readOpenai,
  otel: readOtel,
};

/** Makes a run of ours of what another agent left behind. Says what it could not know; invents nothing. */
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
  return { ...run, warnings: [...warnings, ...atMost(trace.warnings)] };
}
