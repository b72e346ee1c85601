import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { groupFields } from "../../contract/telemetry-fields.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { originProblem } from "../../telemetry/serve/exact-origin.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { parseText } from "../io/option-values.ts";

const path = row.text("--path <file>", "telemetry database", {
  defaultText: "./.eval-skills/telemetry.sqlite3",
});

const queryTable = {
  path,
  limit: row.count("--limit <n>", "maximum number of events", { min: 1, default: 200 }),
  event: row.text("--event <name>", "only events with this name"),
  sinceTs: row.number("--since-ts <seconds>", "only events at this Unix time or later", { min: 0 }),
  untilTs: row.number("--until-ts <seconds>", "only events at this Unix time or earlier", { min: 0 }),
  runId: row.text("--run-id <id>", "only events of this run"),
  session: row.text("--session <id>", "only events of this session"),
  case: row.text("--case <id>", "only events of this case"),
  skill: row.text("--skill <id>", "only events of this skill"),
  host: row.text("--host <app>", "only events of this host application"),
  docKey: row.text("--doc-key <key>", "only events of this document"),
  block: row.text("--block <id>", "only events of this block"),
  client: row.text("--client <id>", "only events of this client"),
  groupBy: row.choices(
    "--group-by <fields...>",
    "show counts, errors and durations per group, such as event_name",
    { choices: groupFields },
  ),
} satisfies OptionTable;

export type TelemetryQueryFlags = Options<typeof queryTable>;

const serveTable = {
  host: row.text("--host <host>", "address to listen on; anything but loopback requires --token", {
    default: "127.0.0.1",
  }),
  port: row.count("--port <n>", "port to listen on; 0 picks a free one", {
    min: 0,
    max: 65_535,
    default: 5123,
  }),
  allowOrigin: row.texts(
    "--allow-origin <origins...>",
    "origins of web pages that may send events with the token",
    { parse: parseOrigin, default: [] },
  ),
  token: row.text("--token <text|@file>", "token that clients must send", {
    defaultText: "random, stored next to the database",
  }),
  path,
} satisfies OptionTable;

export type TelemetryServeFlags = Options<typeof serveTable>;

function parseOrigin(text: string, flag: string): string {
  const found = originProblem(parseText(text, flag));
  if (found === null) return text;
  const { problem, hint } = found;
  throw new UserError("usage", `${flag}: ${JSON.stringify(shorten(text, 80))} ${problem}`, { hint });
}

/** Declares `telemetry query` and `telemetry serve`. */
export function declareTelemetry(program: Command, start: Start): void {
  const telemetry = declareCommand(program, "telemetry", "Query local telemetry", [
    "eval-skills telemetry query --event cell.done --limit 20",
    "eval-skills telemetry query --group-by event_name",
  ]).helpCommand("help [command]", "show help for a command");
  const query = declareCommand(telemetry, "query", "Show recorded events, newest first", [
    "eval-skills telemetry query --limit 200 --event chat.turn_done",
    "eval-skills telemetry query --run-id 20260301T072410Z-k3f9a1b2 --event cell.done --json",
    "eval-skills telemetry query --event cell.done --group-by skill_id",
  ]);
  addAction(query, queryTable, start, async (options, io) =>
    (await import("./telemetry-query.ts")).telemetryQueryCommand(options, io),
  );
  const serve = declareCommand(telemetry, "serve", "Receive events over HTTP and show them in a browser", [
    "eval-skills telemetry serve",
    "EVAL_SKILLS_ENABLE_DEV_ROUTES=true eval-skills telemetry serve --port 0",
    "eval-skills telemetry serve --allow-origin https://app.example.org",
  ]);
  addAction(serve, serveTable, start, async (options, io) =>
    (await import("./telemetry-serve.ts")).telemetryServeCommand(options, io),
  );
}
