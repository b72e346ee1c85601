import { dirname, isAbsolute, resolve } from "node:path";
import type { JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { UserError } from "../shared/user-error.ts";

/** Refuses what only the user's own file or the command line may say: a key, and opening the network. */
export function checkProjectRules(layer: JsonObject, path: string): void {
  const refuse = (jsonPath: string, message: string, hint: string) => {
    throw new UserError("config-invalid", `${path}: ${message}`, { path, jsonPath, hint });
  };
  const llm = isMap(layer.llm) ? layer.llm : {};
  const sandbox = isMap(layer.sandbox) ? layer.sandbox : {};
  if (Object.hasOwn(llm, "apiKey"))
    refuse(
      "$.llm.apiKey",
      "llm.apiKey is not allowed in a project file",
      "put the key into an environment variable and name that in llm.apiKeyEnv",
    );
  if (sandbox.network === "open")
    refuse(
      "$.sandbox.network",
      "a project file may not open the network",
      "type --network open, or write it into ~/.eval-skills/config.yaml",
    );
  if (Object.hasOwn(sandbox, "allowNetwork") && !isEmptyList(sandbox.allowNetwork))
    refuse(
      "$.sandbox.allowNetwork",
      "a project file may not open the network",
      "type --allow-network, or write it into ~/.eval-skills/config.yaml",
    );
}

/**
 * Project files say what holds in their folder: relative paths are read from there, and where they leave the
 * containment open (null, an empty list) they take nothing away from what the user demands.
 */
export function readProjectLayer(layer: JsonObject, path: string, cwd: string): JsonObject {
  const folder = dirname(path);
  const resolvePath = (value: unknown) =>
    typeof value === "string" && value !== "" && folder !== cwd && !isAbsolute(value)
      ? resolve(folder, value)
      : value;
  const result = structuredClone(layer);
  change(result, "outputDir", resolvePath);
  change(result, "store", resolvePath);
  change(result.telemetry, "sqlitePath", resolvePath);
  change(result.skills, "roots", (roots) => (Array.isArray(roots) ? roots.map(resolvePath) : roots));
  for (const key of ["floor", "network", "allowNetwork", "memoryMb"]) change(result.sandbox, key, dropEmpty);
  return result;
}

function dropEmpty(value: unknown): unknown {
  return value === null || isEmptyList(value) ? undefined : value;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function change(map: unknown, key: string, to: (value: unknown) => unknown): void {
  if (!isMap(map) || !Object.hasOwn(map, key)) return;
  const value = to(map[key]);
  if (value === undefined) delete map[key];
  else map[key] = value as JsonObject[string];
}
