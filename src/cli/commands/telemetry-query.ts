import { resolve } from "node:path";
import type { ContextField, StoredEvent, TelemetryContext } from "../../contract/telemetry.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import { openEventFile } from "../../telemetry/event-file.ts";
import { eventFilePath } from "../../telemetry/settings.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { type TelemetryLayout, telemetryEventLines, telemetryGroupLines } from "../output/telemetry-lines.ts";
import type { TelemetryQueryFlags } from "./telemetry-options.ts";

/** `telemetry query`: events of the file, or figures of groups of them. Nothing is changed. */
export async function telemetryQueryCommand(flags: TelemetryQueryFlags, io: CommandIo): Promise<ExitCode> {
  const { config } = await loadCommandConfig(io);
  const path = flags.path ?? eventFilePath(config.telemetry, io.env);
  const { retentionDays } = config.telemetry;
  using file = await openEventFile(resolve(io.cwd, path), { retentionDays, readOnly: true });
  const filter = {
    sinceTs: flags.sinceTs,
    untilTs: flags.untilTs,
    eventName: flags.event,
    context: readContext(flags),
  };
  const layout = { color: io.color, width: io.width };
  if (flags.groupBy !== undefined) {
    const by = [...new Set(flags.groupBy)];
    const groups = file.groups(filter, by);
    io.result({ ok: true, path, groups }, telemetryGroupLines(groups, by, layout));
    if (groups.length === 0) io.note("no matching events");
    return 0;
  }
  let count = 0;
  function* counted(events: Iterable<StoredEvent>): Generator<StoredEvent> {
    for (const event of events) {
      count++;
      yield event;
    }
  }
  const events = counted(file.eachEvent({ ...filter, limit: flags.limit }));
  io.resultPieces(
    io.json ? documentPieces({ command: io.command, ok: true, path }, events) : tablePieces(events, layout),
  );
  if (count === 0) io.note("no matching events");
  return 0;
}

/** The one document, event by event: there may be millions. */
function* documentPieces(head: object, events: Iterable<StoredEvent>): Generator<string> {
  let before = `${inertJson({ schemaVersion: 1, ...head }).slice(0, -1)},"events":[`;
  for (const event of events) {
    yield before + inertJson(event);
    before = ",";
  }
  yield before === "," ? "]}\n" : `${before}]}\n`;
}

/** So many events are in one table: its columns are as wide as these need. */
const rowsPerTable = 1000;

function* tablePieces(events: Iterable<StoredEvent>, layout: TelemetryLayout): Generator<string> {
  let rows: StoredEvent[] = [];
  for (const event of events) {
    if (rows.push(event) < rowsPerTable) continue;
    yield `${telemetryEventLines(rows, layout)}\n`;
    rows = [];
  }
  if (rows.length > 0) yield `${telemetryEventLines(rows, layout)}\n`;
}

const contextFields = {
  runId: "run_id",
  session: "session_id",
  case: "case_id",
  skill: "skill_id",
  host: "host_app",
  docKey: "doc_key",
  block: "block_id",
  client: "client_id",
} as const satisfies Partial<Record<keyof TelemetryQueryFlags, ContextField>>;

function readContext(flags: TelemetryQueryFlags): TelemetryContext {
  const names = Object.keys(contextFields) as (keyof typeof contextFields)[];
  return Object.fromEntries(
    names.flatMap((name) => (flags[name] === undefined ? [] : [[contextFields[name], flags[name]]])),
  );
}
