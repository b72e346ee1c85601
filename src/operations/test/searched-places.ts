import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { discoverSkills, type FoundFolder, shownFolder } from "../../skills/discover/discover-skills.ts";
import { holdsSkill, isFolder } from "../../skills/discover/scan-folders.ts";
import { hiddenRootsIn } from "../../skills/discover/skill-roots.ts";
import { filesBelow, isBench } from "./files-below.ts";

/** What one path stands for. */
export interface SearchedPlace {
  skills: readonly FoundFolder[];
  /** Folders or files with cases for agents. */
  suites: readonly string[];
  benches: readonly string[];
  /** The file or folder inside a skill that was named. */
  only: string | null;
}

/** What the paths stand for, or without any the project: its roots of skills, and the folder it is in. */
export async function searchedPlaces({
  paths,
  cwd,
  projectRoot,
  roots,
}: {
  paths: readonly string[];
  cwd: string;
  projectRoot: string;
  roots: readonly string[] | null;
}): Promise<SearchedPlace[]> {
  if (paths.length > 0) return Promise.all(paths.map((path) => placeAt(path, cwd)));
  const below = roots === null ? [] : roots.map((root) => resolve(projectRoot, root)).filter(isFolder);
  if (below.length === 0) return [await wholeFolder(projectRoot, cwd)];
  return [{ ...nothing, ...projectTests(projectRoot), skills: await skillsIn(below, cwd) }];
}

async function placeAt(path: string, cwd: string): Promise<SearchedPlace> {
  const target = resolve(cwd, path);
  const folder = isFolder(target) ? target : dirname(target);
  const skill = existsSync(target) ? await enclosingSkill(folder) : null;
  if (skill !== null)
    return { ...nothing, skills: await skillsIn([skill], cwd), only: skill === target ? null : target };
  if (isSuite(target)) return { ...nothing, suites: [target] };
  if (isBench(target)) return { ...nothing, benches: [target] };
  if (folder === target) {
    const place = await wholeFolder(target, cwd);
    if (place.skills.length + place.suites.length + place.benches.length > 0) return place;
    if (hasSuites(target)) return { ...nothing, suites: [target] };
  }
  // Says what is wrong with the path.
  return { ...nothing, skills: await discoverSkills({ paths: [path], cwd }) };
}

const nothing: SearchedPlace = { skills: [], suites: [], benches: [], only: null };

/** A folder of skills: also those that agents keep below it, and the suites of a project. */
async function wholeFolder(folder: string, cwd: string): Promise<SearchedPlace> {
  const hidden = hiddenRootsIn(folder).map((root) => join(folder, root));
  return { ...nothing, ...projectTests(folder), skills: await skillsIn([folder, ...hidden], cwd) };
}

/** Tests in a folder that belong to no skill. */
function projectTests(folder: string): Pick<SearchedPlace, "suites" | "benches"> {
  return { suites: suitesIn(folder), benches: filesBelow(folder).filter(isBench) };
}

function skillsIn(paths: readonly string[], cwd: string): Promise<FoundFolder[]> {
  return discoverSkills({ paths, cwd, whenNone: "pass-over", whenUnreadable: "keep" });
}

async function isSkill(folder: string): Promise<boolean> {
  return holdsSkill(folder, readdirSync(folder, { withFileTypes: true }));
}

/** The skill that a folder is, or lies in; null where it lies in none. */
async function enclosingSkill(path: string): Promise<string | null> {
  for (let dir = path; ; dir = dirname(dir)) {
    if (isFolder(dir) && (await isSkill(dir))) return dir;
    if (dirname(dir) === dir) return null;
  }
}

/** Where cases for agents lie that belong to a project. Other tools have a folder `evals` too, so there a case or suite must be named as one. */
function suitesIn(folder: string): string[] {
  const own = join(folder, ".agent", "evals");
  const shared = join(folder, "evals");
  return [
    ...(filesBelow(own, suiteDepth).some((file) => /\.(?:json|ya?ml)$/.test(file)) ? [own] : []),
    ...(hasSuites(shared) ? [shared] : []),
  ];
}

const suiteDepth = 3;

/** Whether a path is a suite or a case itself, or in the folder where a project keeps them. */
function isSuite(path: string): boolean {
  if (/[\\/]\.agent[\\/]evals(?:[\\/]|$)/.test(path)) return true;
  return isFolder(path) ? filesBelow(path, 1).some(isSuiteFile) : isSuiteFile(path);
}

function hasSuites(folder: string): boolean {
  return filesBelow(folder, suiteDepth).some(isSuiteFile);
}

function isSuiteFile(path: string): boolean {
  return /^(?:suite|case)\.(?:json|ya?ml)$/.test(basename(path));
}

/** The paths as the user would name them. */
export function shownPaths(paths: readonly string[], projectRoot: string, cwd: string): string {
  return paths.length > 0 ? paths.join(" ") : shownFolder(projectRoot, cwd);
}
