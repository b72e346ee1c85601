import { type Command, Option } from "commander";
import { groupFields } from "../contract/telemetry-fields.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, numberOption, textOption } from "./declare-option.ts";
import { withChoices } from "./known-values.ts";
import { parseChoices } from "./option-values.ts";
import { declareTelemetryServe } from "./telemetry-serve-options.ts";

/** What was typed after `telemetry query`. */
export interface TelemetryQueryFlags {
  path?: string;
  limit?: number;
  event?: string;
  sinceTs?: number;
  untilTs?: number;
  runId?: string;
  session?: string;
  case?: string;
  skill?: string;
  host?: string;
  docKey?: string;
  block?: string;
  client?: string;
  groupBy?: string[];
}

/** Declares `telemetry query` and `telemetry serve`. */
export function declareTelemetry(program: Command, start: Start): void {
  const telemetry = declareCommand(program, "telemetry", "Look at what runs told about themselves", [
    "eval-skills telemetry query --event cell.done --limit 20",
    "eval-skills telemetry query --group-by event_name",
  ]).helpCommand("help [command]", "show the help of a command");
  declareQuery(telemetry, start);
  declareTelemetryServe(telemetry, start);
}

function declareQuery(telemetry: Command, start: Start): void {
  const query = declareCommand(telemetry, "query", "Show events from the telemetry file, newest first", [
    "eval-skills telemetry query --limit 200 --event chat.turn_done",
    "eval-skills telemetry query --run-id 20260301T072410Z-k3f9a1b2 --event cell.done --json",
    "eval-skills telemetry query --event cell.done --group-by skill_id",
  ]);
  const groupBy = new Option(
    "--group-by <fields...>",
    "instead of events: how many, errors and times of each group, such as event_name",
  ).argParser(parseChoices("--group-by", groupFields));
  query
    .addOption(textOption("--path <file>", "the telemetry file (default: ./.eval-skills/telemetry.sqlite3)"))
    .addOption(countOption("--limit <n>", "at most this many events (default: 200)", 1))
    .addOption(textOption("--event <name>", "only events of this name"))
    .addOption(numberOption("--since-ts <seconds>", "only events at this Unix time or later", 0))
    .addOption(numberOption("--until-ts <seconds>", "only events at this Unix time or earlier", 0))
    .addOption(textOption("--run-id <id>", "only events of this run"))
    .addOption(textOption("--session <id>", "only events of this session"))
    .addOption(textOption("--case <id>", "only events of this case"))
    .addOption(textOption("--skill <id>", "only events of this skill"))
    .addOption(textOption("--host <app>", "only events of this host application"))
    .addOption(textOption("--doc-key <key>", "only events of this document"))
    .addOption(textOption("--block <id>", "only events of this block"))
    .addOption(textOption("--client <id>", "only events of this client"))
    .addOption(withChoices(groupBy, groupFields));
  query.action(async () => {
    const flags = query.opts<TelemetryQueryFlags>();
    await start(query, async (io) => (await import("./telemetry-query.ts")).telemetryQueryCommand(flags, io));
  });
}
