import { statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { packageFolder } from "../shared/files/own-package.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { UserError } from "../shared/user-error.ts";

/** Refuses what only the user's own file or the command line may say: a key, a grant, opening the network, writing elsewhere. */
export function checkProjectRules(
  layer: JsonObject,
  { cwd, file, shownPath: path }: { cwd: string; file: string; shownPath: string },
): void {
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
  if (Object.hasOwn(layer, "python") && layer.python !== null)
    refuse(
      "$.python",
      "a project file may not choose the Python that tools run on",
      "use --python, or set it in ~/.eval-skills/config.yaml",
    );
  if (Object.hasOwn(layer, "grants"))
    refuse(
      "$.grants",
      "a project file may not grant anything",
      "write it in ~/.eval-skills/config.yaml, or use --grant",
    );
  for (const { key, value, hint } of writtenPaths(layer))
    if (!isInside(realPath(projectFolder(cwd, file)), realPath(resolve(dirname(file), value))))
      refuse(`$.${key}`, `${key} of a project file must stay in the project, not ${value}`, hint);
  if (sandbox.network === "open")
    refuse(
      "$.sandbox.network",
      "a project file may not open the network",
      "use --network open, or set it in ~/.eval-skills/config.yaml",
    );
  if (Object.hasOwn(sandbox, "allowNetwork") && !isEmptyList(sandbox.allowNetwork))
    refuse(
      "$.sandbox.allowNetwork",
      "a project file may not open the network",
      "use --allow-network, or set it in ~/.eval-skills/config.yaml",
    );
}

/** The folder of a project: where the command is, or where the file is that was named elsewhere. */
export function projectFolder(cwd: string, file: string | null): string {
  return file === null || isInside(cwd, file) ? cwd : dirname(file);
}

/** The real folders whose files a command may read: the project, our own package, and what the user named elsewhere. */
export function ownFolders(
  paths: readonly string[],
  { cwd, projectRoot }: { cwd: string; projectRoot: string },
): string[] {
  const project = isInside(cwd, projectRoot) ? cwd : projectRoot;
  const named = paths.flatMap((path) => {
    const absolute = resolve(cwd, path);
    const found = isInside(project, absolute) ? undefined : statSync(absolute, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return [realPath(found.isDirectory() ? absolute : dirname(absolute))];
  });
  return [realPath(project), realPath(packageFolder()), ...named];
}

/** Where a project's file says that something is written. */
function writtenPaths(layer: JsonObject): { key: string; value: string; hint: string }[] {
  const telemetry = isMap(layer.telemetry) ? layer.telemetry : {};
  const own = "or set it in ~/.eval-skills/config.yaml";
  const places = [
    { key: "outputDir", value: layer.outputDir, hint: `type --output-dir, ${own}` },
    { key: "store", value: layer.store, hint: `type --store, ${own}` },
    {
      key: "telemetry.sqlitePath",
      value: telemetry.sqlitePath,
      hint: `set EVAL_SKILLS_TELEMETRY_SQLITE_PATH, ${own}`,
    },
  ];
  return places.flatMap(({ value, ...place }) => (typeof value === "string" ? [{ ...place, value }] : []));
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
