import type { Config } from "../contract/config.ts";
import { longestTimerMs } from "../contract/limits.ts";
import {
  minFlushIntervalMs,
  type TelemetryMode,
  telemetryModes,
  telemetryModeWords,
} from "../contract/telemetry.ts";
import { webAddress } from "../shared/network/http.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { UserError } from "../shared/user-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What holds for the telemetry of this command. */
export interface TelemetrySettings {
  mode: TelemetryMode;
  /** As configured; relative to the folder of the command. */
  sqlitePath: string;
  retentionDays: number;
  flushIntervalMs: number;
  batchSize: number;
  /** Null unless events go there. */
  remoteEndpoint: string | null;
  /** Never shown. */
  token: string | null;
}

/** Every setting is read under these, in this order; the configuration comes after them. */
export const settingPrefixes = ["EVAL_SKILLS_", "", "AH32_"] as const;

/** Every setting that a variable can say, without its prefix. */
export const settingNames = [
  "TELEMETRY_MODE",
  "TELEMETRY_SQLITE_PATH",
  "TELEMETRY_RETENTION_DAYS",
  "TELEMETRY_FLUSH_INTERVAL_MS",
  "TELEMETRY_BATCH_SIZE",
  "TELEMETRY_REMOTE_ENDPOINT",
  "TELEMETRY_TOKEN",
] as const;
type SettingName = (typeof settingNames)[number];

/** The settings in force: variables, else the configuration. What cannot be meant is refused before anything runs. */
export function telemetrySettings(config: Config["telemetry"], env: Env): TelemetrySettings {
  const mode = readMode(config, env);
  const settings = {
    mode,
    sqlitePath: eventFilePath(config, env),
    retentionDays: count(env, "TELEMETRY_RETENTION_DAYS", 1) ?? config.retentionDays,
    flushIntervalMs: count(env, "TELEMETRY_FLUSH_INTERVAL_MS", minFlushIntervalMs) ?? config.flushIntervalMs,
    batchSize: count(env, "TELEMETRY_BATCH_SIZE", 1) ?? config.batchSize,
  };
  if (mode === "local" || mode === "off") return { ...settings, remoteEndpoint: null, token: null };
  return { ...settings, remoteEndpoint: readEndpoint(config, env, mode), token: readToken(config, env) };
}

/** The file of events, as configured; relative to the folder of the command. */
export function eventFilePath({ sqlitePath }: Pick<Config["telemetry"], "sqlitePath">, env: Env): string {
  return readVariable(env, "TELEMETRY_SQLITE_PATH")?.value ?? sqlitePath;
}

/** The first of the three variables that says something. */
function readVariable(env: Env, name: SettingName): { variable: string; value: string } | null {
  for (const prefix of settingPrefixes) {
    const value = env[`${prefix}${name}`]?.trim();
    if (value) return { variable: `${prefix}${name}`, value };
  }
  return null;
}

function readMode(config: Config["telemetry"], env: Env): TelemetryMode {
  const override = readVariable(env, "TELEMETRY_MODE");
  const word = (override?.value ?? String(config.mode)).toLowerCase();
  const mode = telemetryModes.find((one) => one === word);
  if (mode !== undefined) return mode;
  if (telemetryModeWords.some((one) => one === word)) return "off";
  throw refusal(
    override?.variable ?? "telemetry.mode",
    "local, remote, both or off",
    word,
    didYouMean(word, telemetryModes),
  );
}

function count(env: Env, name: SettingName, min: number): number | null {
  const override = readVariable(env, name);
  if (override === null) return null;
  const value = /^\d{1,10}$/.test(override.value) ? Number(override.value) : Number.NaN;
  if (value >= min && value <= longestTimerMs) return value;
  throw refusal(override.variable, `a whole number of at least ${min}`, override.value);
}

function readEndpoint(config: Config["telemetry"], env: Env, mode: TelemetryMode): string {
  const override = readVariable(env, "TELEMETRY_REMOTE_ENDPOINT");
  const endpoint = override?.value ?? config.remoteEndpoint;
  const where = override?.variable ?? "telemetry.remoteEndpoint";
  if (endpoint === null)
    throw new UserError(
      "config-invalid",
      `telemetry mode ${mode} needs an endpoint, and none is configured`,
      {
        hint: "set EVAL_SKILLS_TELEMETRY_REMOTE_ENDPOINT or telemetry.remoteEndpoint, or choose mode local",
      },
    );
  const url = webAddress(endpoint);
  // The address is not shown: it may hold a password.
  if (url === null) throw new UserError("config-invalid", `${where} must be an http or https URL`);
  if (url.username !== "" || url.password !== "")
    throw new UserError("config-invalid", `${where} must not contain a user or a password`, {
      hint: "put the token into EVAL_SKILLS_TELEMETRY_TOKEN",
    });
  return url.href;
}

function readToken({ tokenEnv }: Config["telemetry"], env: Env): string | null {
  // A project's endpoint never gets the user's token; one that the environment names does.
  if (tokenEnv === false && readVariable(env, "TELEMETRY_REMOTE_ENDPOINT") === null) return null;
  const named = typeof tokenEnv === "string" ? env[tokenEnv]?.trim() : undefined;
  const token = named || readVariable(env, "TELEMETRY_TOKEN")?.value;
  if (token === undefined && typeof tokenEnv === "string")
    throw new UserError("secret-missing", `telemetry.tokenEnv names ${tokenEnv}, which is not set`, {
      hint: `set ${tokenEnv}, or choose telemetry mode local`,
    });
  if (token === undefined) return null;
  // Anything else is not valid in a header, and the error of Node would quote it.
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UserError(
    "config-invalid",
    "the token of the telemetry endpoint must contain only printable ASCII characters without spaces",
  );
}

function refusal(where: string, wanted: string, text: string, hint?: string): UserError {
  const shown = JSON.stringify(shorten(text, 60));
  return new UserError("config-invalid", `${where} must be ${wanted}, not ${shown}`, { hint });
}
