import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { systemClock } from "../../shared/async/clock.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { openEventFile } from "../../telemetry/event-file.ts";
import { narrowedWords } from "../../telemetry/open-event-database.ts";
import { openTelemetryServer } from "../../telemetry/serve/open-telemetry-server.ts";
import { isLoopback } from "../../telemetry/serve/own-hosts.ts";
import { readTelemetryPage } from "../../telemetry/serve/telemetry-page.ts";
import { keepTokenFile, tokenFilePath } from "../../telemetry/serve/token-file.ts";
import { telemetrySettings } from "../../telemetry/settings.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import type { TelemetryServeFlags } from "./telemetry-options.ts";

/** Short, because the client waits meanwhile and can send again. */
const patience = { patienceMs: 100, openingPatienceMs: 15_000 };

/** `telemetry serve`: receives events until it is interrupted, which is its normal end. */
export async function telemetryServeCommand(flags: TelemetryServeFlags, io: CommandIo): Promise<ExitCode> {
  const { config } = await loadCommandConfig(io);
  const { mode, retentionDays, ...settings } = telemetrySettings(config.telemetry, io.env);
  const host = flags.host.replace(/^\[(.*)\]$/, "$1");
  const given = flags.token === undefined ? null : typedToken(flags.token, io);
  checkReach(host, given, io);
  using interrupt = listenForInterrupt();
  const path = writtenPath(flags.path ?? settings.sqlitePath, io.cwd);
  const onNarrowed = (narrowed: string) => io.warn(narrowedWords([narrowed]));
  using file = mode === "off" ? null : await openEventFile(path, { retentionDays, patience, onNarrowed });
  const isDev = hasDevRoutes(io);
  const token = given ?? randomBytes(32).toString("base64url");
  await using server = await openTelemetryServer({
    host,
    port: flags.port,
    token,
    allowedOrigins: new Set(flags.allowOrigin),
    file,
    mode,
    retentionDays,
    page: isDev ? readTelemetryPage() : null,
    clock: systemClock,
    warn: io.warn,
  });
  const tokenFile = given === null ? tokenFilePath(path, server.port) : null;
  using _ = tokenFile === null ? null : keepTokenFile(tokenFile, token);
  reportStart(
    { ...server, host, mode, path, retentionDays, tokenFile, token, isDev, allowed: flags.allowOrigin },
    io,
  );
  if (!interrupt.signal.aborted) await once(interrupt.signal, "abort");
  io.note("stopped");
  return 0;
}

/** The typed token, or the content of the file after `@`: other users of the machine can see command lines. */
function typedToken(typed: string, io: CommandIo): string {
  const token = typed.startsWith("@") ? readToken(resolve(io.cwd, typed.slice(1))) : typed;
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw new UserError("usage", "--token must be 16 to 512 printable ASCII characters without spaces", {
    hint: 'make one with `node -p "crypto.randomUUID()"`',
  });
}

function readToken(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new UserError("usage", `cannot read the --token file: ${(error as Error).message}`, { path });
  }
}

function checkReach(host: string, token: string | null, io: CommandIo): void {
  if (isLoopback(host)) return;
  if (token === null)
    throw new UserError(
      "usage",
      `--host ${shownText(host)} accepts connections from other machines and requires --token`,
      {
        hint: `add --token @file, or omit --host to listen on 127.0.0.1`,
      },
    );
  io.warn(
    "this server is reachable from other machines over unencrypted HTTP; the token is sent in clear text",
  );
}

const devVariables = ["EVAL_SKILLS_ENABLE_DEV_ROUTES", "AH32_ENABLE_DEV_ROUTES"] as const;

function hasDevRoutes(io: CommandIo): boolean {
  const variable = devVariables.find((name) => io.env[name]?.trim());
  if (variable === undefined) return false;
  const word = io.env[variable]?.trim().toLowerCase() ?? "";
  if (word !== "true" && word !== "false")
    io.warn(
      `${variable} is ${JSON.stringify(shownText(word))}, expected true or false: dev routes are disabled`,
    );
  return word === "true";
}

interface StartedServer {
  url: string;
  port: number;
  host: string;
  mode: string;
  path: string;
  retentionDays: number;
  tokenFile: string | null;
  token: string;
  isDev: boolean;
  allowed: readonly string[];
}

/** Prints the address and the token file once the server is ready; a script needs no more. Contains no secret. */
function reportStart({ token, allowed, isDev, ...server }: StartedServer, io: CommandIo): void {
  const { url, host, port, mode, retentionDays } = server;
  const near = (path: string | null) => (path === null ? null : nearPath(path, io.cwd));
  const [path, tokenFile] = [near(server.path), near(server.tokenFile)];
  const page = isDev ? `${url}/dev/telemetry/ui` : null;
  const document = {
    url,
    host,
    port,
    pid: process.pid,
    tokenFile,
    page,
    path,
    mode,
    enabled: mode !== "off",
    retentionDays,
    allowedOrigins: allowed,
  };
  const lines = [
    `Listening at ${url}`,
    `  token  ${tokenFile ?? "as given"} (Authorization: Bearer <token>)`,
    mode === "off"
      ? "  events are taken and not kept: telemetry is off"
      : `  events ${path}, kept for ${retentionDays} days`,
    ...allowed.map((origin) => `  origin ${origin} may send events`),
    page === null
      ? "  page   none; EVAL_SKILLS_ENABLE_DEV_ROUTES=true turns it on"
      : `  page   ${page}?token=${encodeURIComponent(token)}`,
  ];
  io.result(document, lines.map(visibleText).join("\n"));
  io.note("stop with Ctrl-C");
}
