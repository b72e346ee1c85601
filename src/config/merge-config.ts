import type { ConfigOrigin } from "../contract/config.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";

/** Puts `over` on top of `under`: maps merge, everything else replaces. A map left empty (`llm:`) says nothing. */
export function mergeMaps(under: JsonObject, over: JsonObject): JsonObject {
  const result = new Map<string, Json>(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const below = result.get(key);
    if (isMap(below) && isMap(value)) result.set(key, mergeMaps(below, value));
    else if (!(isMap(below) && value === null) && value !== undefined) result.set(key, value);
  }
  return Object.fromEntries(result);
}

/** Every value of the configuration by its dotted key, with the layer it came from; the last layer that says it wins. */
export function traceOrigins(
  config: JsonObject,
  layers: readonly { origin: ConfigOrigin; values: JsonObject }[],
): Record<string, ConfigOrigin> {
  const origins = new Map<string, ConfigOrigin>();
  visitLeaves(config, [], (path) => {
    const layer = layers.findLast(({ values }) => valueAt(values, path) !== undefined);
    origins.set(path.join("."), layer?.origin ?? "default");
  });
  return Object.fromEntries(origins);
}

/** The value at this path of own keys, or undefined. */
export function valueAt(map: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = map;
  for (const key of path) at = isMap(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

function visitLeaves(
  map: JsonObject,
  path: readonly string[],
  visit: (path: readonly string[]) => void,
): void {
  for (const [key, value] of Object.entries(map)) {
    const here = [...path, key];
    if (isMap(value) && Object.keys(value).length > 0) visitLeaves(value, here, visit);
    else if (value !== undefined) visit(here);
  }
}
