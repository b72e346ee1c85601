import type { Json, JsonObject } from "../contract/json.ts";

/** The configuration as it may be shown: keys as `****`, and no user part in an address. */
export function maskSecrets(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, key === "apiKey" ? "****" : mask(value)]),
  );
}

function mask(value: Json): Json {
  if (typeof value === "string") return value.replace(/:\/\/[^/@\s]+@/g, "://****@");
  if (Array.isArray(value)) return value.map(mask);
  return value !== null && typeof value === "object" ? maskSecrets(value) : value;
}
