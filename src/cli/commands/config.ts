import { findConfigKey, parseConfigValue } from "../../config/config-keys.ts";
import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { valueAt } from "../../config/merge-config.ts";
import { writeProjectConfig, writeUserConfig } from "../../config/write-config.ts";
import type { ConfigOrigin } from "../../contract/config.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { redactor } from "../../shared/text/redact.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";

/** A longer value shifts only its own origin, not the whole column. */
const valueColumn = 36;

/** `config list`: every effective value and its origin. */
export async function listConfig(io: CommandIo): Promise<ExitCode> {
  const { config, origins } = await load(io);
  const values = maskSecrets(config as JsonObject);
  const rows = Object.entries(origins).map(([key, origin]) => [key, shown(values, key), origin] as const);
  const keyWidth = Math.max(...rows.map(([key]) => key.length));
  const valueWidth = Math.min(valueColumn, Math.max(...rows.map(([, value]) => value.length)));
  io.result(
    { values, origins },
    rows
      .map(([key, value, origin]) => `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  (${origin})`)
      .join("\n"),
  );
  return 0;
}

/** `config get <key>`: one effective value. */
export async function getConfig(key: string, io: CommandIo): Promise<ExitCode> {
  const { path } = findConfigKey(key);
  const { config, origins } = await load(io);
  const value = valueAt(maskSecrets(config as JsonObject), path) ?? null;
  io.result({ key, value, origin: findOrigin(key, origins) }, asText(value));
  return 0;
}

export interface ConfigChange {
  key: string;
  /** The value as typed. */
  text: string;
  isForProject: boolean;
}

/** `config set <key> <value>`: into the user's own file, or with `--project` into the project's. */
export async function setConfig({ key, text, isForProject }: ConfigChange, io: CommandIo): Promise<ExitCode> {
  const found = findConfigKey(key);
  const value = parseConfigValue(found, text);
  const file = isForProject
    ? await writeProjectConfig(io, found.path, value)
    : await writeUserConfig(io, found.path, value);
  const masked = valueAt(maskSecrets(nested(found.path, value)), found.path) ?? null;
  const origin: ConfigOrigin = isForProject ? "project" : "user";
  io.result({ key, value: masked, origin }, `${key} = ${asText(masked)}`);
  io.note(`written to ${file}`);
  if (!isForProject) await warnIfProjectWins(key, io);
  return 0;
}

async function load(io: CommandIo): Promise<LoadedConfig> {
  const loaded = await loadConfig(io);
  for (const warning of loaded.warnings) io.warn(warning);
  return loaded;
}

async function warnIfProjectWins(key: string, io: CommandIo): Promise<void> {
  const loaded = await loadConfig(io).catch(() => null); // `set` must work although the project file is broken
  if (loaded !== null && findOrigin(key, loaded.origins) === "project")
    io.warn(
      `${loaded.files.project} also sets ${key} and takes precedence in this project; change it there with \`eval-skills config set --project ${key} <value>\``,
    );
}

const strongestFirst: readonly ConfigOrigin[] = ["flag", "project", "user", "default"];

/** A group comes from wherever its strongest member comes from. */
function findOrigin(key: string, origins: LoadedConfig["origins"]): ConfigOrigin {
  const found = Object.entries(origins)
    .filter(([name]) => name === key || name.startsWith(`${key}.`))
    .map(([, origin]) => origin);
  return strongestFirst.find((origin) => found.includes(origin)) ?? "default";
}

function shown(values: JsonObject, key: string): string {
  return asText(valueAt(values, findConfigKey(key).path) ?? null);
}

function asText(value: Json): string {
  return visibleText(typeof value === "string" ? value : JSON.stringify(value));
}

function nested(path: readonly string[], value: Json): JsonObject {
  return path.reduceRight<Json>((below, key) => ({ [key]: below }), value) as JsonObject;
}

const withoutUserParts = redactor([]);

/** The configuration as it may be shown: keys as `****`, and no user part in an address. */
export function maskSecrets(config: JsonObject): JsonObject {
  return withoutUserParts(maskKeys(config));
}

function maskKeys(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, key === "apiKey" ? "****" : maskBelow(value)]),
  );
}

function maskBelow(value: Json): Json {
  return isMap(value) ? maskKeys(value) : value;
}
