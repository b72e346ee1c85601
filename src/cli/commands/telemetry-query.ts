import { resolve } from "node:path";
import type { ContextField, TelemetryContext } from "../../contract/telemetry.ts";
import { openEventFile } from "../../telemetry/event-file.ts";
import { eventFilePath } from "../../telemetry/settings.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { telemetryEventLines, telemetryGroupLines } from "../output/telemetry-lines.ts";
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
  const events = file.events({ ...filter, limit: flags.limit });
  io.result({ ok: true, path, events }, telemetryEventLines(events, layout));
  if (events.length === 0) io.note("no matching events");
  return 0;
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
