import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { realPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import { detectKind } from "../folder/detect-kind.ts";
import { promptNames } from "../folder/skill-files.ts";
import { SkillFolder } from "../folder/skill-folder.ts";
import { unreadableWords } from "../folder/walk-folder.ts";

/** What differs between one scan for skills and another. */
export interface ScanRules {
  /** Whether what a folder holds makes it a skill; inside of one no further ones are looked for. */
  isSkill: (dir: string, entries: readonly Dirent[]) => boolean | Promise<boolean>;
  /** Names of folders that are not looked into. */
  isSkipped: (name: string) => boolean;
  followsLinks: boolean;
  /** Whether the folder itself may be the skill, or only what lies in it. */
  includesTop: boolean;
  /** How many folders below the first one. */
  maxDepth: number;
  maxFolders: number;
}

export interface ScannedFolders {
  /** Absolute, as they were reached, in code-unit order. */
  skills: string[];
  /** Links to folders that were met and not followed. */
  links: string[];
  /** Folders that may or may not be skills, each with the reason. */
  unreadable: { dir: string; problem: string }[];
}

/** Limits of every scan: more folders are an error, never a silent cut. */
export const downwards = { includesTop: true, maxDepth: 6, maxFolders: 20_000 };

/**
 * The one way to look for skills in a folder. Goes level by level, so that a folder reached twice through links counts where
 * it is nearest, and by name, so that no file system decides.
 */
export async function scanFolders(top: string, rules: ScanRules): Promise<ScannedFolders> {
  const found: ScannedFolders = { skills: [], links: [], unreadable: [] };
  const seen = new Set<string>();
  let level: Folder[] = [{ dir: top, real: realPath(top) }];
  for (let depth = 0; depth <= rules.maxDepth && level.length > 0; depth++) {
    const below: Folder[] = [];
    for (const folder of level) {
      const { dir, real } = folder;
      if (seen.has(real)) continue;
      if (seen.add(real).size > rules.maxFolders) throw tooMany(top, rules.maxFolders);
      const entries = readEntries(dir, found.unreadable);
      if ((depth > 0 || rules.includesTop) && (await rules.isSkill(dir, entries))) found.skills.push(dir);
      else for (const inner of foldersIn(folder, entries, rules, found.links)) below.push(inner);
    }
    level = below.sort((a, b) => (a.dir < b.dir ? -1 : 1));
  }
  return { ...found, skills: found.skills.sort(), links: found.links.sort() };
}

function readEntries(dir: string, unreadable: ScannedFolders["unreadable"]): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    const problem = unreadableWords(dir, error);
    if (problem === null) throw error;
    unreadable.push({ dir, problem });
    return [];
  }
}

interface Folder {
  /** As it was reached. */
  dir: string;
  /** Where that is. */
  real: string;
}

function* foldersIn(
  { dir, real }: Folder,
  entries: readonly Dirent[],
  rules: ScanRules,
  links: string[],
): Generator<Folder> {
  for (const entry of entries) {
    if (rules.isSkipped(entry.name)) continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield { dir: path, real: join(real, entry.name) };
    else if (!entry.isSymbolicLink() || !isFolder(path)) continue;
    else if (rules.followsLinks) yield { dir: path, real: realPath(path) };
    else links.push(path);
  }
}

/** Whether there is a folder, also behind a link. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // nothing there, or a link to nowhere or to itself
  }
}

function tooMany(top: string, maxFolders: number): UserError {
  return new UserError("skill-invalid", `${top} contains more than ${maxFolders} folders`, {
    path: top,
    hint: "pass the skill folders themselves",
  });
}

/** Whether a folder is a skill of any kind, by the names in it; only a `meta.yml` without such a name has to be read. */
export async function holdsSkill(dir: string, entries: readonly Dirent[]): Promise<boolean> {
  const isThere = (entry: Dirent) => !isFolderEntry(dir, entry);
  if (entries.some((entry) => isSkillFile(entry.name) && isThere(entry))) return true;
  if (!entries.some((entry) => entry.name === "meta.yml" && isThere(entry))) return false;
  const { kind } = await detectKind(new SkillFolder(dir), new Diagnostics("lenient", basename(dir)));
  return kind !== "none";
}

/** Whether a file of this name makes its folder a skill. One in other letters, or that cannot be read, does too: then that is reported. */
export function isSkillFile(name: string): boolean {
  return ["skill.json", "skill.md"].includes(name.toLowerCase()) || promptNames.includes(name);
}

function isFolderEntry(dir: string, entry: Dirent): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(dir, entry.name)));
}
