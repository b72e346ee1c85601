import { type Command, Option } from "commander";
import { shorten } from "../base/visible-text.ts";
import { UserError } from "../contract/user-error.ts";
import { originProblem } from "../telemetry/serve/exact-origin.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, textOption } from "./declare-option.ts";
import { listOf, parseText } from "./option-values.ts";

/** What was typed after `telemetry serve`. */
export interface TelemetryServeFlags {
  host?: string;
  port?: number;
  allowOrigin?: string[];
  token?: string;
  path?: string;
}

/** Declares `telemetry serve`. */
export function declareTelemetryServe(telemetry: Command, start: Start): void {
  const serve = declareCommand(
    telemetry,
    "serve",
    "Take events over HTTP, and show them in a browser, until Ctrl-C",
    [
      "eval-skills telemetry serve",
      "EVAL_SKILLS_ENABLE_DEV_ROUTES=true eval-skills telemetry serve --port 0",
      "eval-skills telemetry serve --allow-origin https://app.example.org",
    ],
  );
  const origins = new Option(
    "--allow-origin <origins...>",
    "pages of exactly these origins may send events, with the token",
  ).argParser(listOf(parseOrigin));
  serve
    .addOption(
      textOption(
        "--host <host>",
        "where to listen (default: 127.0.0.1); another machine's reach needs --token",
      ),
    )
    .addOption(countOption("--port <n>", "the port (default: 5123); 0 takes any that is free", 0, 65_535))
    .addOption(origins)
    .addOption(
      textOption(
        "--token <text|@file>",
        "what senders show (default: a random one, in a file beside the events)",
      ),
    )
    .addOption(textOption("--path <file>", "the telemetry file (default: ./.eval-skills/telemetry.sqlite3)"));
  serve.action(async () => {
    const flags = serve.opts<TelemetryServeFlags>();
    await start(serve, async (io) => (await import("./telemetry-serve.ts")).telemetryServeCommand(flags, io));
  });
}

function parseOrigin(text: string): string {
  const found = originProblem(parseText(text, "--allow-origin"));
  if (found === null) return text;
  const { problem, hint } = found;
  throw new UserError("usage", `--allow-origin: ${JSON.stringify(shorten(text, 80))} ${problem}`, { hint });
}
