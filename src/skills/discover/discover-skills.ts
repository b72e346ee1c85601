import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { SkillSource } from "../../contract/skill.ts";
import { nearPath, realPath } from "../../shared/files/paths.ts";
import { nearest, spacesHint } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import {
  downwards,
  holdsSkill,
  isFolder,
  isSkillFile,
  type ScannedFolders,
  type ScanRules,
  scanFolders,
} from "./scan-folders.ts";
import { hiddenRootsIn, type SkillRoot } from "./skill-roots.ts";

/** A folder that is a skill, or was named as one. */
export interface FoundFolder {
  /** Absolute, as it was reached: links in it are not followed. */
  dir: string;
  /** As the user would name it. */
  shown: string;
  source: SkillSource;
  /** 1 for what was named, more for a root; of two with one id the smaller number wins. */
  rank: number;
  /** The root, or the path that was named, absolute. */
  root: string;
  /** The file that was named as its manifest instead of `skill.json`. */
  manifestFile?: string | undefined;
  /** Why it is unknown whether it is a skill. */
  unreadable?: string | undefined;
}

/** A path that was named, with the source of its skills; `project` by default. */
export type GivenPath = string | { path: string; source: SkillSource };

export interface Discovery {
  /** Each a skill, its manifest, or a folder scanned downwards. They replace all roots except the builtin one. */
  paths?: readonly GivenPath[] | undefined;
  /** Folders whose children are skills, the first first. One that is not there holds none. */
  roots?: readonly SkillRoot[] | undefined;
  cwd: string;
  /** What becomes of a named folder without any skill: an error, a folder to look at all the same, or nothing. */
  whenNone?: "refuse" | "keep" | "pass-over" | undefined;
  /** What becomes of a folder that cannot be read: an error, or a folder to report. */
  whenUnreadable?: "refuse" | "keep" | undefined;
  maxFolders?: number | undefined;
}

/** The folders to read, each real one once: what was named in that order, below it and in roots by code units of the path. */
export async function discoverSkills(discovery: Discovery): Promise<FoundFolder[]> {
  const { paths = [], roots = [] } = discovery;
  const found: FoundFolder[] = [];
  for (const given of paths) found.push(...(await foundAt(given, discovery)));
  for (const root of roots)
    if (paths.length === 0 || root.source === "builtin") found.push(...(await foundIn(root, discovery)));
  const first = new Map<string, FoundFolder>();
  for (const folder of found) {
    const key = JSON.stringify([realPath(folder.dir), folder.manifestFile]);
    if (!first.has(key)) first.set(key, folder);
  }
  return [...first.values()];
}

const defaultRules: ScanRules = {
  ...downwards,
  isSkill: holdsSkill,
  isSkipped: (name) => name.startsWith(".") || name === "node_modules" || name === "__pycache__",
  followsLinks: true,
};

async function foundAt(given: GivenPath, discovery: Discovery): Promise<FoundFolder[]> {
  const { path, source } = typeof given === "string" ? { path: given, source: "project" as const } : given;
  const { cwd, whenNone = "refuse", maxFolders = defaultRules.maxFolders } = discovery;
  const root = resolve(cwd, path);
  const facts = { source, rank: 1, root };
  if (!existsSync(root)) throw nothingAt(path, cwd);
  if (!isFolder(root)) {
    const dir = dirname(root);
    const name = basename(root);
    const shown = shownFolder(dir, cwd);
    return [{ dir, shown, ...facts, ...(isSkillFile(name) ? {} : { manifestFile: name }) }];
  }
  const scanned = foldersFrom(await scanFolders(root, { ...defaultRules, maxFolders }), discovery);
  if (scanned.length === 0 && whenNone === "refuse") throw noneIn(path, root);
  const found = scanned.length === 0 && whenNone === "keep" ? [{ dir: root }] : scanned;
  return found.map((folder) => ({ ...folder, shown: shownFolder(folder.dir, cwd), ...facts }));
}

async function foundIn({ dir: root, source, rank }: SkillRoot, discovery: Discovery): Promise<FoundFolder[]> {
  if (!isFolder(root)) return [];
  const scanned = await scanFolders(root, { ...defaultRules, includesTop: false, maxDepth: 1 });
  const found = foldersFrom(scanned, discovery);
  return found.map((folder) => ({
    ...folder,
    shown: shownFolder(folder.dir, discovery.cwd),
    source,
    rank,
    root,
  }));
}

function foldersFrom(
  { skills, unreadable }: ScannedFolders,
  { whenUnreadable = "refuse" }: Discovery,
): Pick<FoundFolder, "dir" | "unreadable">[] {
  const [first] = unreadable;
  if (first !== undefined && whenUnreadable === "refuse")
    throw new UserError("skill-invalid", `${first.dir} ${first.problem}`, { path: first.dir });
  const others = unreadable.map(({ dir, problem }) => ({ dir, unreadable: problem }));
  return [...skills.map((dir) => ({ dir })), ...others].sort((a, b) => (a.dir < b.dir ? -1 : 1));
}

/** A folder as one would type it. */
export function shownFolder(dir: string, cwd: string): string {
  return dir === cwd ? "." : nearPath(dir, cwd);
}

/** The error of a path that leads nowhere, with what was most likely meant. */
function nothingAt(path: string, cwd: string): UserError {
  const hint =
    spacesHint(path, (part) => existsSync(resolve(cwd, part))) ??
    suggestNeighbour(resolve(cwd, path), path) ??
    elsewhere(path, cwd);
  return new UserError("skill-not-found", `no skill at ${path}`, { path, hint });
}

function suggestNeighbour(absolute: string, path: string): string | undefined {
  try {
    const near = nearest(basename(absolute), readdirSync(dirname(absolute)));
    return near === null ? undefined : `did you mean ${join(dirname(path), near)}?`;
  } catch {
    return undefined;
  }
}

/** Where a skill may be that was named without its folder, or looked for in the default one. */
function elsewhere(path: string, cwd: string): string | undefined {
  const inSkills = join("skills", path);
  if (!isAbsolute(path) && isFolder(resolve(cwd, inSkills))) return `did you mean ${inSkills}?`;
  const [hidden] = hiddenRootsIn(cwd);
  return hidden === undefined ? undefined : `there may be skills in ${hidden}: pass that folder`;
}

function noneIn(path: string, root: string): UserError {
  const [hidden] = hiddenRootsIn(root);
  if (hidden !== undefined)
    return new UserError("skill-not-found", `no skills found in ${path}`, {
      path,
      hint: `folders that start with a dot are skipped: pass ${join(path, hidden)}`,
    });
  return new UserError("skill-not-found", `no skills found in ${path}`, {
    path,
    hint: "a skill is a folder with a SKILL.md, a skill.json or a prompt; create one with `eval-skills create --name my_skill`",
  });
}
