import { isMap } from "../../shared/json/is-map.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { redactor } from "../../shared/text/redact.ts";

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
