import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { nearPath, realPath } from "../shared/files/paths.ts";
import { spacesHint } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";
import { shownFolder } from "../skills/discover/discover-skills.ts";
import {
  downwards,
  holdsSkill,
  isFolder,
  isSkillFile,
  type ScannedFolders,
  type ScanRules,
  scanFolders,
} from "../skills/discover/scan-folders.ts";
import { manifestNames } from "./skill-words.ts";

/** Folders to audit, each once, and the links to folders that were met and not followed. */
export interface SkillFolders {
  folders: { path: string; shown: string }[];
  links: string[];
}

/** The skill folders below each path. A folder without any is audited itself: untrusted files need no manifest to do harm. */
export async function findSkillFolders(paths: readonly string[], cwd: string): Promise<SkillFolders> {
  const found: ScannedFolders[] = [];
  for (const path of paths) {
    const root = resolveRoot(path, cwd);
    const below = await scanFolders(root, auditScanRules);
    found.push(below.skills.length > 0 ? below : { ...below, skills: [root] });
  }
  return shownFrom(found, cwd);
}

/** The same for folders that may be missing or empty: the roots of the configuration. */
export async function findSkillFoldersIn(roots: readonly string[], cwd: string): Promise<SkillFolders> {
  const found: ScannedFolders[] = [];
  for (const root of roots.map((path) => resolve(cwd, path)))
    if (isFolder(root)) found.push(await scanFolders(root, auditScanRules));
  return shownFrom(found, cwd);
}

/** Enters dot-folders, where agents keep skills, but follows no link; any folder with a `meta.yml` is a skill. */
const auditScanRules: ScanRules = {
  ...downwards,
  isSkill: (dir, entries) =>
    entries.some((entry) => manifestNames.includes(entry.name) && !entry.isDirectory()) ||
    holdsSkill(dir, entries),
  isSkipped: (name) => [".git", "node_modules", "__pycache__", ".venv", "venv"].includes(name),
  followsLinks: false,
};

function shownFrom(found: readonly ScannedFolders[], cwd: string): SkillFolders {
  const byRealPath = new Map<string, string>();
  // One that cannot be read is reported where its files would be looked at.
  const folders = found.flatMap(({ skills, unreadable }) => [...skills, ...unreadable.map(({ dir }) => dir)]);
  for (const folder of folders.sort())
    if (!byRealPath.has(realPath(folder))) byRealPath.set(realPath(folder), folder);
  return {
    folders: [...byRealPath].map(([path, folder]) => ({ path, shown: shownFolder(folder, cwd) })),
    links: found
      .flatMap(({ links }) => links)
      .filter((link) => !byRealPath.has(realPath(link)))
      .map((link) => nearPath(link, cwd)),
  };
}

function resolveRoot(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  if (!existsSync(absolute)) {
    const hint = spacesHint(path, (part) => existsSync(resolve(cwd, part)));
    throw new UserError("skill-not-found", `no such file or folder: ${path}`, { path, hint });
  }
  if (isFolder(absolute)) return absolute;
  const name = basename(absolute);
  if (manifestNames.includes(name) || isSkillFile(name)) return dirname(absolute);
  throw new UserError("skill-not-found", `${path} is not a folder`, {
    path,
    hint: "pass the skill folder",
  });
}
