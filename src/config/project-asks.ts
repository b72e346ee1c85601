import { dirname, resolve } from "node:path";
import { type AskSource, askEnv, askHost, askRead } from "../contract/asks.ts";
import type { Ask, Permissions } from "../contract/grant.ts";
import { realPath } from "../shared/files/paths.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { valueAt } from "./merge-config.ts";

/** The file of a project, and what holds without it. */
export interface ProjectLayer {
  layer: JsonObject;
  /** Absolute. */
  file: string;
  project: string;
  /** What the user's own file says. */
  own: JsonObject;
}

/** What the file of a project asks for: addresses that receive data, variables whose values are sent or passed on, folders outside. */
export function projectAsks(about: ProjectLayer): Ask[] {
  const { layer, file, project } = about;
  return [
    ...modelAsks(about),
    ...embedderAsks(layer, file),
    ...telemetryAsks(layer, file),
    ...listAt(layer, ["sandbox", "envKeys"]).map(([name, n]) =>
      askEnv(name, null, at(file, "passed to every skill (sandbox.envKeys)", ["sandbox", "envKeys", n])),
    ),
    ...listAt(layer, ["skills", "roots"]).flatMap(([root, n]) => {
      const place = at(file, "skills are read (skills.roots)", ["skills", "roots", n]);
      // Their contents would be read, and sent to models.
      return askRead(resolve(dirname(file), root), [realPath(project)], place);
    }),
  ];
}

function at(file: string, purpose: string, steps: readonly PropertyKey[]): AskSource {
  return { subject: null, asker: null, file, purpose, steps };
}

/**
 * The layer without what was not granted. What is left can be used as it is: an address of the project is
 * asked without any key of the user, unless the variable that holds one was granted.
 */
export function grantedLayer(layer: JsonObject, asks: readonly Ask[], permissions: Permissions): JsonObject {
  const result = structuredClone(layer);
  for (const { steps } of permissions.missing(asks)) removeAt(result, steps);
  dropEmptyLists(result);
  if (valueAt(result, ["llm", "baseUrl"]) !== undefined) withoutKey(result.llm, "apiKeyEnv");
  for (const provider of Object.values(isMap(result.models) ? result.models : {}))
    if (isMap(provider) && provider.baseUrl !== undefined) withoutKey(provider, "apiKeyEnv");
  if (valueAt(result, ["telemetry", "remoteEndpoint"]) !== undefined)
    withoutKey(result.telemetry, "tokenEnv");
  else if (isMap(result.telemetry) && sendsAway(result.telemetry.mode)) delete result.telemetry.mode;
  if (valueAt(result, ["telemetry", "otlp", "endpoint"]) === undefined)
    removeAt(result, ["telemetry", "otlp"]);
  return result;
}

/** Whether a mode of telemetry sends anything to another machine. */
function sendsAway(mode: unknown): boolean {
  return mode === "remote" || mode === "both";
}

function withoutKey(map: unknown, key: string): void {
  if (isMap(map) && typeof map[key] !== "string") map[key] = false;
}

const llmVariables = ["EVAL_SKILLS_LLM_KEY", "OPENAI_API_KEY", "OPENAI_KEY"];
/** By name, which a stranger wrote: `toString` is none of them. */
const vendorVariables: ReadonlyMap<string, readonly string[]> = new Map([
  ["openai", ["OPENAI_API_KEY"]],
  ["anthropic", ["ANTHROPIC_API_KEY"]],
  ["google", ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"]],
]);

function modelAsks({ layer, file, own }: ProjectLayer): Ask[] {
  const models = isMap(layer.models) ? Object.keys(layer.models) : [];
  return [
    ...endpointAsks(["llm"], llmVariables, { layer, file, own }),
    ...models.flatMap((name) =>
      endpointAsks(["models", name], vendorVariables.get(name) ?? [], { layer, file, own }),
    ),
  ];
}

/** A variable that would be used anyway, at the address of its vendor, needs no grant. */
function endpointAsks(
  steps: readonly string[],
  defaultVariables: readonly string[],
  { layer, file, own }: Omit<ProjectLayer, "project">,
): Ask[] {
  const value = valueAt(layer, steps);
  if (!isMap(value)) return [];
  const { baseUrl, apiKeyEnv } = value;
  const key = steps.join(".");
  const asks: Ask[] = [];
  if (typeof baseUrl === "string")
    asks.push(
      askHost(baseUrl, at(file, `receives the requests to models (${key}.baseUrl)`, [...steps, "baseUrl"])),
    );
  const address = typeof baseUrl === "string" ? baseUrl : valueAt(own, [...steps, "baseUrl"]);
  if (typeof apiKeyEnv !== "string") return asks;
  if (address === undefined && defaultVariables.includes(apiKeyEnv)) return asks;
  const url = typeof address === "string" ? address : null;
  const purpose = `sent to ${url ?? "the endpoint of the model"} as a key (${key}.apiKeyEnv)`;
  return [...asks, askEnv(apiKeyEnv, url, at(file, purpose, [...steps, "apiKeyEnv"]))];
}

/** An embedder of a provider receives every request and every description. */
function embedderAsks(layer: JsonObject, file: string): Ask[] {
  const embedding = valueAt(layer, ["router", "embedding"]);
  if (!isMap(embedding)) return [];
  return Object.entries(embedding).flatMap(([script, value]) => {
    const provider = isMap(value) ? value.provider : undefined;
    if (typeof provider !== "string") return [];
    const purpose = `${provider} receives requests and descriptions of skills (router.embedding.${script})`;
    const own = valueAt(layer, ["models", provider, "baseUrl"]);
    const address = typeof own === "string" ? own : (vendorAddresses.get(provider) ?? "");
    return address === "" ? [] : [askHost(address, at(file, purpose, ["router", "embedding", script]))];
  });
}

const vendorAddresses: ReadonlyMap<string, string> = new Map([
  ["openai", "https://api.openai.com"],
  ["google", "https://generativelanguage.googleapis.com"],
]);

function telemetryAsks({ telemetry }: JsonObject, file: string): Ask[] {
  if (!isMap(telemetry)) return [];
  const { remoteEndpoint, tokenEnv, otlp } = telemetry;
  const asks: Ask[] = [];
  const remote = typeof remoteEndpoint === "string" ? remoteEndpoint : null;
  if (remote !== null) {
    const steps = ["telemetry", "remoteEndpoint"];
    asks.push(askHost(remote, at(file, "receives telemetry (telemetry.remoteEndpoint)", steps)));
  }
  if (typeof tokenEnv === "string") {
    const purpose = `sent to ${remote ?? "the telemetry endpoint"} as a token (telemetry.tokenEnv)`;
    asks.push(askEnv(tokenEnv, remote, at(file, purpose, ["telemetry", "tokenEnv"])));
  }
  if (isMap(otlp) && typeof otlp.endpoint === "string") {
    const content = otlp.content === true ? " with inputs and answers" : "";
    const purpose = `receives spans of runs${content} (telemetry.otlp.endpoint)`;
    asks.push(askHost(otlp.endpoint, at(file, purpose, ["telemetry", "otlp", "endpoint"])));
  }
  return asks;
}

function listAt(layer: JsonObject, steps: readonly string[]): (readonly [string, number])[] {
  const list = valueAt(layer, steps);
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: Json, n) => (typeof value === "string" ? [[value, n] as const] : []));
}

function removeAt(layer: JsonObject, steps: readonly PropertyKey[]): void {
  let owner: unknown = layer;
  for (const step of steps.slice(0, -1))
    owner = isMap(owner) || Array.isArray(owner) ? (owner as JsonObject)[String(step)] : undefined;
  const last = steps.at(-1);
  // A list keeps its length until all is removed, so that the places of the others stay right.
  if (Array.isArray(owner)) owner[Number(last)] = null;
  else if (isMap(owner)) delete owner[String(last)];
}

function dropEmptyLists(layer: JsonObject): void {
  for (const map of Object.values(layer))
    if (isMap(map))
      for (const [key, list] of Object.entries(map))
        if (Array.isArray(list)) map[key] = list.filter((item) => item !== null);
}
