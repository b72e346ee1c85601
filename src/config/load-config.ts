import { statSync } from "node:fs";
import type * as z from "zod";
import { Config, type ConfigOrigin } from "../contract/config.ts";
import type { Ask, GrantedAsk, Permissions } from "../contract/grant.ts";
import { checkUnknownKeys } from "../shared/files/check-document.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { dropUnknownKeys, type KnownKeys, knownKeys, unknownKeys } from "../shared/json/known-keys.ts";
import { jsonPath } from "../shared/json/locations.ts";
import { zodProblem } from "../shared/json/zod-problem.ts";
import { UserError } from "../shared/user-error.ts";
import {
  exists,
  findProjectFile,
  readConfigFile,
  type UserFolders,
  userConfigFile,
  withPosition,
} from "./config-files.ts";
import { openPermissions } from "./grants/open-permissions.ts";
import { mergeMaps, traceOrigins, valueAt } from "./merge-config.ts";
import { grantedLayer, projectAsks } from "./project-asks.ts";
import { checkProjectRules, projectFolder, readProjectLayer } from "./project-rules.ts";

export interface ConfigSources extends UserFolders {
  cwd: string;
  /** The file named with `-c`. */
  configPath?: string | undefined;
  /** What was typed on the command line. */
  flags?: z.input<typeof Config> | undefined;
  /** What was typed with `--grant`. */
  grants?: readonly string[] | undefined;
  /** Called with what was granted and is about to be used, each once. */
  onGrantUse?: ((granted: readonly GrantedAsk[]) => void) | undefined;
}

export interface LoadedConfig {
  config: Config;
  /** Dotted key → where its value came from. */
  origins: Record<string, ConfigOrigin>;
  files: { project: string | null; user: string | null };
  warnings: string[];
  /** What the user allows files of the project to have. */
  permissions: Permissions;
  /** What the project's file asks for. What nobody granted is not part of `config`. */
  asks: readonly Ask[];
}

/**
 * The configuration in force, key by key: what was typed, else the project's file, else the user's own, else the default.
 * Relative paths in it are meant from `cwd`. A project's file may only ask for secrets, addresses and folders outside;
 * without a grant it is read as if it did not name them.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  try {
    return await readLayers(sources);
  } catch (error) {
    throw await withPosition(error, sources.cwd);
  }
}

async function readLayers({
  cwd,
  home,
  env,
  configPath,
  flags = {},
  grants = [],
  onGrantUse,
}: ConfigSources): Promise<LoadedConfig> {
  const warnings: string[] = [];
  const user = existing(userConfigFile({ home, env }));
  const project = findProjectFile(cwd, configPath);
  const defaults = Config.parse({}) as JsonObject;
  const layers: Layer[] = [
    { origin: "default", values: defaults },
    { origin: "env", values: environmentLayer(env ?? {}) },
  ];
  let own: JsonObject = {};
  if (user !== null) {
    own = await readLayer(user, user, warnings);
    warnings.push(...warnOfReadableKey(own, user));
    layers.push({ origin: "user", values: wholeNetwork(own, user), path: user });
  }
  checkConfig(mergeMaps(defaults, own), user ?? undefined);
  const permissions = openPermissions({
    cwd,
    home,
    project: projectFolder(cwd, project),
    typed: [...grants, ...openedHosts(flags)],
    configured: Config.parse(own).grants,
    hosts: openedHosts(own),
    userFile: user,
    onUse: onGrantUse,
  });
  let asks: readonly Ask[] = [];
  if (project !== null) {
    const shownPath = configPath ?? project;
    const values = await readLayer(project, shownPath, warnings);
    checkProjectRules(values, { cwd, file: project, shownPath });
    asks = projectAsks({ layer: values, file: project, project: projectFolder(cwd, project), own });
    const granted = grantedLayer(readProjectLayer(values, project, cwd), asks, permissions);
    if (valueAt(granted, ["llm", "baseUrl"]) !== undefined) dropKey(own);
    const projectValues = keepLimits(own, keepFloor(layers, granted));
    layers.push({ origin: "project", values: wholeNetwork(projectValues, shownPath), path: shownPath });
  }
  layers.push({ origin: "flag", values: wholeNetwork(flags as JsonObject) });

  let merged: JsonObject = {};
  for (const { values, path } of layers) {
    merged = mergeMaps(merged, values);
    checkConfig(merged, path);
  }
  const config = Config.parse(merged);
  const origins = traceOrigins(config as JsonObject, layers);
  return { config, origins, files: { project, user }, warnings, permissions, asks };
}

/** The endpoints that the usual variables of providers name; a file or a flag may name others. */
function environmentLayer(env: NonNullable<ConfigSources["env"]>): JsonObject {
  const openai = addressIn(env.OPENAI_BASE_URL);
  const anthropic = addressIn(env.ANTHROPIC_BASE_URL);
  const models = {
    ...(openai !== null && { openai: { baseUrl: openai } }),
    // Anthropic's own clients add the version to it, other libraries expect it there.
    ...(anthropic !== null && {
      anthropic: { baseUrl: /\/v\d+$/.test(anthropic) ? anthropic : `${anthropic}/v1` },
    }),
  };
  return {
    ...(openai !== null && { llm: { baseUrl: openai } }),
    ...(Object.keys(models).length > 0 && { models }),
  };
}

function addressIn(value: string | undefined): string | null {
  const address = value?.trim().replace(/\/+$/, "") ?? "";
  return address === "" ? null : address;
}

/** The hosts somebody opened the network to, as grants. */
function openedHosts(layer: object): string[] {
  const hosts = valueAt(layer as JsonObject, ["sandbox", "allowNetwork"]);
  return Array.isArray(hosts) ? hosts.map((host) => `host:${host}`) : [];
}

/** A key of the user is sent to the user's endpoint only. */
function dropKey({ llm }: JsonObject): void {
  if (isMap(llm)) delete llm.apiKey;
}

/** Refuses a configuration that is not valid, naming the file that made it so. */
export function checkConfig(values: JsonObject, path: string | undefined): void {
  const read = Config.safeParse(values);
  if (read.success) return;
  const { message, jsonPath } = zodProblem(read.error, values);
  throw new UserError("config-invalid", path === undefined ? message : `${path}: ${message}`, {
    path,
    jsonPath,
  });
}

interface Layer {
  origin: ConfigOrigin;
  values: JsonObject;
  path?: string;
}

async function readLayer(path: string, shownPath: string, warnings: string[]): Promise<JsonObject> {
  const values = await readConfigFile(path, shownPath);
  const known = knownKeys(Config);
  warnings.push(...checkUnknownKeys(values, known, { path: shownPath, code: "config-invalid" }));
  refuseUnreadGates(values, known, shownPath);
  return dropUnknownKeys(values, known) as JsonObject;
}

/** Of a gate no key is passed over: what nobody reads would always pass. */
function refuseUnreadGates(values: JsonObject, known: KnownKeys, path: string): void {
  const unread = unknownKeys(values, known).find(({ steps }) => steps[0] === "gates");
  if (unread === undefined) return;
  const key = jsonPath(unread.steps);
  throw new UserError("config-invalid", `${path}: the key ${key} is not known`, {
    path,
    jsonPath: key,
    hint:
      unread.steps.at(-1) === "minMutationScore"
        ? "nothing measures a mutation score yet: remove it"
        : `known are ${(known["$.gates[]"] ?? []).join(", ")}`,
  });
}

const floors = [null, "reduced", "strict"];

/** A file may raise the floor of containment and never lower it. */
function keepFloor(below: readonly Layer[], layer: JsonObject): JsonObject {
  const rank = (values: JsonObject) =>
    floors.indexOf((valueAt(values, ["sandbox", "floor"]) ?? null) as null);
  const demanded = Math.max(...below.map(({ values }) => rank(values)));
  if (!isMap(layer.sandbox) || rank(layer) === -1 || rank(layer) >= demanded) return layer;
  const { floor: _, ...sandbox } = layer.sandbox;
  return { ...layer, sandbox };
}

/** Limits that a user sets, a file may only tighten. */
const limits: readonly (readonly [group: string, key: string])[] = [
  ["sandbox", "memoryMb"],
  ["sandbox", "maxOutputBytes"],
  ["sandbox", "killGraceMs"],
  ["agent", "max_cost_usd"],
  ["agent", "max_model_calls"],
  ["agent", "timeout_ms"],
];

/** What the user limited or priced stays at least as tight: a budget would mean nothing at the prices of a stranger. */
function keepLimits(own: JsonObject, layer: JsonObject): JsonObject {
  const result = structuredClone(layer);
  for (const [group, key] of limits) {
    const [demanded, asked] = [valueAt(own, [group, key]), valueAt(layer, [group, key])];
    const isLooser = typeof demanded === "number" && (typeof asked !== "number" || asked > demanded);
    if (isLooser && isMap(result[group])) delete result[group][key];
  }
  if (isMap(result.prices) && isMap(own.prices))
    for (const model of Object.keys(own.prices)) delete result.prices[model];
  return result;
}

function warnOfReadableKey(values: JsonObject, path: string): string[] {
  if (valueAt(values, ["llm", "apiKey"]) === undefined || process.platform === "win32") return [];
  return (statSync(path).mode & 0o077) === 0
    ? []
    : [`${path} holds llm.apiKey and others may read it; try: chmod 600 ${path}`];
}

function existing(path: string): string | null {
  return exists(path) ? path : null;
}

/**
 * A layer that sets the network sets all of it: a list of hosts closes the rest, and `none` or `open` takes the place of
 * a list that somebody weaker wrote. Without a path the words were typed.
 */
export function wholeNetwork(layer: JsonObject, path?: string): JsonObject {
  if (!isMap(layer.sandbox)) return layer;
  const { network, allowNetwork } = layer.sandbox;
  if (Array.isArray(allowNetwork) && allowNetwork.length > 0) {
    if (network === "open") throw contradiction(path);
    return { ...layer, sandbox: { ...layer.sandbox, network: "none" } };
  }
  if (network !== "none" && network !== "open") return layer;
  return { ...layer, sandbox: { ...layer.sandbox, allowNetwork: [] } };
}

function contradiction(path: string | undefined): UserError {
  if (path === undefined)
    return new UserError("usage", "--network open and --allow-network cannot be used together", {
      hint: "remove one of them",
    });
  return new UserError(
    "config-invalid",
    `${path}: sandbox.network: open and sandbox.allowNetwork cannot be used together`,
    { path, jsonPath: "$.sandbox.network", hint: "remove one of them" },
  );
}
