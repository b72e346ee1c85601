import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { spacesHint } from "../../base/comma-list.ts";
import { nearPath } from "../../base/near-path.ts";
import { UserError } from "../../contract/user-error.ts";
import { realPath } from "../inside-folder.ts";
import { readable } from "../walk-folder.ts";
import { manifestNames } from "./skill-words.ts";

/** Folders to audit, each once, and the links to folders that were met and not followed. */
export interface SkillFolders {
  folders: { path: string; shown: string }[];
  links: string[];
}

const maxDepth = 6;
const mostFolders = 20_000;

/** The skill folders below each path. A folder in which there is none is one itself: a stranger's files need no manifest to harm. */
export function findSkillFolders(paths: readonly string[], cwd: string): SkillFolders {
  const found = paths.flatMap((path) => {
    const root = rootOf(path, cwd);
    const below = scan(root);
    return below.folders.length > 0 ? [below] : [{ folders: [root], links: below.links }];
  });
  return shownFrom(found, cwd);
}

/** The same for folders that may not be there and hold what they hold: the roots of the configuration. */
export function findSkillFoldersIn(roots: readonly string[], cwd: string): SkillFolders {
  const there = roots.map((root) => resolve(cwd, root)).filter((root) => isFolder(root));
  return shownFrom(there.map(scan), cwd);
}

function shownFrom(found: readonly { folders: string[]; links: string[] }[], cwd: string): SkillFolders {
  const byPlace = new Map<string, string>();
  for (const folder of found.flatMap(({ folders }) => folders))
    if (!byPlace.has(realPath(folder))) byPlace.set(realPath(folder), folder);
  return {
    folders: [...byPlace].map(([path, folder]) => ({
      path,
      shown: folder === cwd ? "." : nearPath(folder, cwd),
    })),
    links: found
      .flatMap(({ links }) => links)
      .filter((link) => !byPlace.has(realPath(link)))
      .map((link) => nearPath(link, cwd)),
  };
}

function rootOf(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) {
    const hint = spacesHint(
      path,
      (part) => statSync(resolve(cwd, part), { throwIfNoEntry: false }) !== undefined,
    );
    throw new UserError("skill-not-found", `there is nothing at ${path}`, { path, hint });
  }
  if (stats.isDirectory()) return absolute;
  if (stats.isFile() && manifestNames.includes(basename(absolute))) return dirname(absolute);
  throw new UserError("skill-not-found", `${path} is no folder`, {
    path,
    hint: "name the folder of the skill",
  });
}

/** Breadth first and by name, into dot-folders too, where agents keep skills; through no link, and not into a skill that was found. */
function scan(root: string): { folders: string[]; links: string[] } {
  const found = { folders: [] as string[], links: [] as string[] };
  let seen = 0;
  let level = [root];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      if (++seen > mostFolders)
        throw new UserError("skill-invalid", `${root} holds more than ${mostFolders} folders`, {
          path: root,
          hint: "name the skills' own folders",
        });
      const entries = readable(folder, () => readdirSync(folder, { withFileTypes: true })).sort(byName);
      if (entries.some((entry) => manifestNames.includes(entry.name) && !entry.isDirectory())) {
        found.folders.push(folder);
        continue;
      }
      for (const entry of entries) {
        if (skipped.has(entry.name)) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) below.push(path);
        else if (entry.isSymbolicLink() && isFolder(path)) found.links.push(path);
      }
    }
    level = below;
  }
  return { folders: found.folders.sort(), links: found.links };
}

const skipped = new Set([".git", "node_modules", "__pycache__", ".venv", "venv"]);

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

function isFolder(path: string): boolean {
  try {
    return (lstatSync(path).isSymbolicLink() ? statSync(path) : lstatSync(path)).isDirectory();
  } catch {
    return false; // nothing there, or a link to nowhere
  }
}
