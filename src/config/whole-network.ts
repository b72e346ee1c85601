import { isMap } from "../shared/json/is-map.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { UserError } from "../shared/user-error.ts";

/**
 * Who speaks of the network speaks of all of it: a list of hosts closes the rest, and `none` or `open` takes the place of
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
