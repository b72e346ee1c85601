import type { RunLog } from "../../contract/agent-log.ts";
import type { TraceKind } from "../../contract/trace-kind.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { UserError } from "../../shared/user-error.ts";
import { claudeCode } from "./claude-code.ts";
import { detectImporter } from "./detect-importer.ts";
import type { Importer } from "./importer.ts";
import { openai } from "./openai.ts";
import { otel } from "./otel.ts";
import { invalid, markRepeated, readItems } from "./read-values.ts";
import type { ImportedRun, SkillFolder } from "./trace.ts";
import { TraceBuilder } from "./trace-builder.ts";
import { traceEvents } from "./trace-events.ts";

/** Changes when a trace of before would become other events. */
const importerVersion = 2;

const importers: Readonly<Record<TraceKind, Importer>> = {
  "claude-code": claudeCode,
  openai,
  otel,
};

export interface ImportOptions {
  skills: readonly SkillFolder[];
  /** Several requests become one run. */
  join?: boolean;
  /** Another file of the session, by its path from the folder of the trace; null where there is none. */
  companion?: (path: string) => Uint8Array | null;
}

/**
 * Converts the trace of another agent to runs, one for every request. States what is unknown; invents nothing. Without a kind the
 * content says which it is; a kind that the content contradicts is refused.
 */
export function importTrace(
  kind: TraceKind | null,
  bytes: Uint8Array,
  { skills, join = false, companion = () => null }: ImportOptions,
): ImportedRun[] {
  const items = readItems(bytes);
  const importer = detectImporter(Object.values(importers), items, kind);
  const prepared = (list: typeof items) =>
    markRepeated(list, (value) => importer.mayRepeat?.(value) === true);
  const builder = new TraceBuilder({ join });
  importer.read(prepared(items), builder, (path) => {
    const found = companion(path);
    try {
      return found === null ? null : prepared(readItems(found));
    } catch (error) {
      // One that cannot be read is as good as missing, and is reported so.
      if (error instanceof UserError) return null;
      throw error;
    }
  });
  const traces = builder.traces();
  if (!traces.some(({ entries }) => entries.some((entry) => "turn" in entry)))
    throw invalid(`contains no model reply in the format ${importer.kind}`);
  const file = { file_sha256: sha256(bytes), importer_version: importerVersion };
  return traces.map((trace) => traceEvents(importer, trace, skills, file));
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
