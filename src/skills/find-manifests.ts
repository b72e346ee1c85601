import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { spacesHint } from "../base/comma-list.ts";
import { nearest } from "../base/nearest.ts";
import { UserError } from "../contract/user-error.ts";
import { readable } from "./walk-folder.ts";

const manifestName = "skill.json";
const instructionsName = "SKILL.md";
const maxDepth = 6;
const mostFolders = 20_000;

/** The `skill.json` files a list of paths means, each once, in an order that no file system decides. */
export function findManifests(paths: readonly string[], cwd: string, maxFolders = mostFolders): string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    refuseUncallable(resolve(cwd, path), path);
    for (const manifest of filesOf(path, cwd, [manifestName], maxFolders)) {
      const real = realpathSync(manifest);
      if (!found.has(real)) found.set(real, manifest);
    }
  }
  return [...found.values()];
}

/** The file that makes each folder below a path a skill, of whatever kind: its `skill.json`, else its `SKILL.md`. */
export function findSkillFiles(path: string, cwd: string): string[] {
  return filesOf(path, cwd, [manifestName, instructionsName], mostFolders);
}

function filesOf(path: string, cwd: string, names: readonly string[], maxFolders: number): string[] {
  const absolute = resolve(cwd, path);
  if (!existsSync(absolute)) {
    throw new UserError("skill-not-found", `there is no skill at ${path}`, {
      path,
      hint: spacesHint(path, (part) => existsSync(resolve(cwd, part))) ?? suggestion(absolute, path),
    });
  }
  if (statSync(absolute).isFile()) return [absolute];
  const files = scan(absolute, names, maxFolders);
  if (files.length === 0) {
    throw new UserError("skill-not-found", `there is no skill in ${path}`, {
      path,
      hint: "a skill is a folder with a skill.json; `eval-skills create --name my_skill` makes one",
    });
  }
  return files;
}

function refuseUncallable(absolute: string, path: string): void {
  if (isFile(join(absolute, manifestName)) || !existsSync(join(absolute, instructionsName))) return;
  throw new UserError("skill-invalid", `${path} has a SKILL.md but no skill.json, so it cannot be called`, {
    path,
    hint: "add a skill.json with adapterType and entrypoint beside the SKILL.md",
  });
}

/** Breadth first and by name, never into dot-folders, dependencies or caches, never twice through links. */
function scan(root: string, names: readonly string[], maxFolders: number): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  let level = [root];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      const real = readable(folder, () => realpathSync(folder));
      if (seen.has(real)) continue;
      if (seen.add(real).size > maxFolders) {
        throw new UserError("skill-invalid", `${root} holds more than ${maxFolders} folders`, {
          path: root,
          hint: "name the skills' own folders",
        });
      }
      const name = names.find((candidate) => isFile(join(folder, candidate)));
      if (name === undefined) below.push(...subfolders(folder));
      else files.push(join(folder, name)); // inside a skill no further ones are looked for
    }
    level = below;
  }
  return files.sort();
}

function subfolders(folder: string): string[] {
  return readable(folder, () => readdirSync(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules" && name !== "__pycache__")
    .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(folder, entry.name))))
    .map(({ name }) => join(folder, name))
    .sort();
}

function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null; // a link to nowhere, or to itself
  }
}

function suggestion(absolute: string, path: string): string | undefined {
  try {
    const near = nearest(basename(absolute), readdirSync(dirname(absolute)));
    return near === null ? undefined : `did you mean ${join(dirname(path), near)}?`;
  } catch {
    return undefined;
  }
}
