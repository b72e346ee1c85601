import { lstatSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { readJsonFile, readTextFile, readYamlFile } from "../shared/files/read-text-file.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { isUnsafeKey } from "../shared/json/json-values.ts";
import { parseLocatedYaml } from "../shared/json/located-yaml.ts";
import { jsonPath, nearestPosition } from "../shared/json/locations.ts";
import { positionInJson } from "../shared/json/position-in-json.ts";
import { maxNesting } from "../shared/json/strict-json.ts";
import { UserError } from "../shared/user-error.ts";

/** The names a project's configuration may have; one of them at most. */
export const projectFileNames = [
  "eval-skills.config.yaml",
  "eval-skills.config.yml",
  "eval-skills.config.json",
] as const;

/** Where a user keeps what is their own. */
export interface UserFolders {
  home: string;
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Where the user's own configuration lives: `~/.eval-skills`, or the folder of the XDG convention if a file is there. */
export function userConfigFile({ home, env = {} }: UserFolders): string {
  const own = join(home, ".eval-skills", "config.yaml");
  const named = env.XDG_CONFIG_HOME ?? "";
  const xdg = join(isAbsolute(named) ? named : join(home, ".config"), "eval-skills", "config.yaml");
  if (!exists(xdg)) return own;
  if (!exists(own)) return xdg;
  throw new UserError("config-invalid", `found two user files: ${own} and ${xdg}`, {
    path: own,
    hint: "move everything into one of them and delete the other",
  });
}

/** The project's configuration file: the one named with `-c`, else the only one in this folder, else null. */
export function findProjectFile(cwd: string, configPath: string | undefined): string | null {
  if (configPath !== undefined) return resolve(cwd, configPath);
  const found = projectFileNames.filter((name) => exists(join(cwd, name)));
  if (found.length > 1)
    throw new UserError("config-invalid", `found two configuration files: ${found.join(" and ")}`, {
      path: join(cwd, found[0] ?? ""),
      hint: "remove one of them, or choose one with -c",
    });
  return found[0] === undefined ? null : join(cwd, found[0]);
}

/** The keys of a configuration file, YAML or JSON by its name. */
export async function readConfigFile(path: string, shownPath: string = path): Promise<JsonObject> {
  const value = path.endsWith(".json")
    ? readJsonFile(path, "config-invalid", shownPath)
    : await readYamlFile(path, "config-invalid", shownPath);
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new UserError("config-invalid", `${shownPath} must contain a mapping of keys to values`, {
      path: shownPath,
    });
  refuseUnsafeKeys(value, [], shownPath);
  return value as JsonObject;
}

/** A mistake in a configuration file with the line and column it is in, as far as it names its place. */
export async function withPosition(error: unknown, cwd: string): Promise<unknown> {
  if (!(error instanceof UserError) || error.code !== "config-invalid") return error;
  const { path, jsonPath: place, hint, message } = error;
  if (path === null || place === null || !message.startsWith(`${path}: `)) return error;
  const text = readTextFile(resolve(cwd, path), { code: "config-invalid", capBytes: configCapBytes });
  const find = await finder(text, path.endsWith(".json"));
  const position = nearestPosition(find, stepsIn(place));
  if (position === null) return error;
  const words = message.slice(`${path}: `.length);
  return new UserError("config-invalid", `${path}:${position.line}:${position.column}: ${words}`, {
    path,
    jsonPath: place,
    hint: hint ?? undefined,
    cause: error,
  });
}

const configCapBytes = 64 * 1024 * 1024;

async function finder(text: string, isJson: boolean): Promise<Parameters<typeof nearestPosition>[0]> {
  if (isJson) return (steps) => positionInJson(text, steps);
  const read = await parseLocatedYaml(text, { scalars: "core", depth: maxNesting, aliases: 100 });
  return read.ok ? read.findPosition : () => null;
}

/** `gates`, 0 and `skill` of `$.gates[0].skill`. */
function stepsIn(place: string): PropertyKey[] {
  return [...place.matchAll(/\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, name, index, quoted]) =>
      name ?? (index !== undefined ? Number(index) : String(JSON.parse(quoted ?? '""'))),
  );
}

export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file where a folder should be holds nothing; whatever else is wrong shows when the file is read.
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}

function refuseUnsafeKeys(value: object, steps: readonly PropertyKey[], path: string): void {
  for (const [key, member] of Object.entries(value)) {
    const here = [...steps, Array.isArray(value) ? Number(key) : key];
    if (isUnsafeKey(key))
      throw new UserError("config-invalid", `${path}: the key ${jsonPath(here)} is not allowed`, {
        path,
        jsonPath: jsonPath(here),
      });
    if (member !== null && typeof member === "object") refuseUnsafeKeys(member, here, path);
  }
}
