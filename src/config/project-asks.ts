import { dirname, resolve } from "node:path";
import { type Ask, askEnv, askHost, type Permissions } from "../contract/grant.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { valueAt } from "./merge-config.ts";

/** What the file of a project asks for: addresses that receive data, variables whose values are sent or passed on, folders outside. */
export function projectAsks(layer: JsonObject, file: string, project: string): Ask[] {
  return [
    ...modelAsks(layer, file),
    ...embedderAsks(layer, file),
    ...telemetryAsks(layer, file),
    ...listAt(layer, ["sandbox", "envKeys"]).map(([name, n]) =>
      askEnv(name, {
        subject: null,
        file,
        purpose: "passed to every skill (sandbox.envKeys)",
        steps: ["sandbox", "envKeys", n],
      }),
    ),
    ...outsideRoots(layer, file, project),
  ];
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
const vendorVariables: Readonly<Record<string, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
};

function modelAsks(layer: JsonObject, file: string): Ask[] {
  const llm = endpointAsks(layer.llm, ["llm"], llmVariables, file);
  const models = isMap(layer.models) ? Object.entries(layer.models) : [];
  return [
    ...llm,
    ...models.flatMap(([name, provider]) =>
      endpointAsks(provider, ["models", name], vendorVariables[name] ?? [], file),
    ),
  ];
}

/** A variable that would be used anyway, at the address of its vendor, needs no grant. */
function endpointAsks(
  value: unknown,
  steps: readonly string[],
  usualVariables: readonly string[],
  file: string,
): Ask[] {
  if (!isMap(value)) return [];
  const { baseUrl, apiKeyEnv } = value;
  const key = steps.join(".");
  const asks: Ask[] = [];
  if (typeof baseUrl === "string")
    asks.push(
      askHost(baseUrl, {
        subject: null,
        file,
        purpose: `receives what models are asked (${key}.baseUrl)`,
        steps: [...steps, "baseUrl"],
      }),
    );
  if (typeof apiKeyEnv === "string" && (typeof baseUrl === "string" || !usualVariables.includes(apiKeyEnv))) {
    const address = typeof baseUrl === "string" ? baseUrl : "the endpoint of the model";
    asks.push(
      askEnv(apiKeyEnv, {
        subject: null,
        file,
        purpose: `sent to ${address} as a key (${key}.apiKeyEnv)`,
        steps: [...steps, "apiKeyEnv"],
      }),
    );
  }
  return asks;
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
    const address = typeof own === "string" ? own : (vendorAddresses[provider] ?? "");
    return address === ""
      ? []
      : [askHost(address, { subject: null, file, purpose, steps: ["router", "embedding", script] })];
  });
}

const vendorAddresses: Readonly<Record<string, string>> = {
  openai: "https://api.openai.com",
  google: "https://generativelanguage.googleapis.com",
};

function telemetryAsks({ telemetry }: JsonObject, file: string): Ask[] {
  if (!isMap(telemetry)) return [];
  const { remoteEndpoint, tokenEnv, otlp } = telemetry;
  const asks: Ask[] = [];
  if (typeof remoteEndpoint === "string")
    asks.push(
      askHost(remoteEndpoint, {
        subject: null,
        file,
        purpose: "receives telemetry (telemetry.remoteEndpoint)",
        steps: ["telemetry", "remoteEndpoint"],
      }),
    );
  if (typeof tokenEnv === "string") {
    const address = typeof remoteEndpoint === "string" ? remoteEndpoint : "the telemetry endpoint";
    asks.push(
      askEnv(tokenEnv, {
        subject: null,
        file,
        purpose: `sent to ${address} as a token (telemetry.tokenEnv)`,
        steps: ["telemetry", "tokenEnv"],
      }),
    );
  }
  if (isMap(otlp) && typeof otlp.endpoint === "string")
    asks.push(
      askHost(otlp.endpoint, {
        subject: null,
        file,
        purpose: "receives spans of runs (telemetry.otlp.endpoint)",
        steps: ["telemetry", "otlp", "endpoint"],
      }),
    );
  return asks;
}

/** Folders of skills outside the project: their contents would be read, and sent to models. */
function outsideRoots(layer: JsonObject, file: string, project: string): Ask[] {
  return listAt(layer, ["skills", "roots"]).flatMap(([root, n]) => {
    const path = realPath(resolve(dirname(file), root));
    if (isInside(realPath(project), path)) return [];
    const steps = ["skills", "roots", n];
    return [
      {
        kind: "read" as const,
        value: path,
        subject: null,
        purpose: "skills are read (skills.roots)",
        file,
        steps,
      },
    ];
  });
}

function listAt(layer: JsonObject, steps: readonly string[]): (readonly [string, number])[] {
  const list = valueAt(layer, steps);
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: Json, n) => (typeof value === "string" ? [[value, n] as const] : []));
}

function removeAt(layer: JsonObject, steps: readonly PropertyKey[]): void {
  let at: unknown = layer;
  for (const step of steps.slice(0, -1))
    at = isMap(at) || Array.isArray(at) ? (at as JsonObject)[String(step)] : undefined;
  const last = steps.at(-1);
  // A list keeps its length until all is removed, so that the places of the others stay right.
  if (Array.isArray(at)) at[Number(last)] = null;
  else if (isMap(at)) delete at[String(last)];
}

function dropEmptyLists(layer: JsonObject): void {
  for (const map of Object.values(layer))
    if (isMap(map))
      for (const [key, list] of Object.entries(map))
        if (Array.isArray(list)) map[key] = list.filter((item) => item !== null);
}
