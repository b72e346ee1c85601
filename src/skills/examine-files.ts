import { accessSync, constants } from "node:fs";
import type { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { isInside, whereLinkLeads } from "../shared/files/paths.ts";
import { pluralize } from "../shared/text/phrases.ts";
import type { SkillFolder } from "./folder/skill-folder.ts";
import { type FolderEntry, walkFolder } from "./folder/walk-folder.ts";

const maxListed = 5;

/** Checks the kinds of files in a skill's folder, as far as they are part of the skill. Opens none of them. */
export function examineFiles(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): void {
  const problems = problemsIn(folder.dir, skill?.adapter?.metadata.digestIgnore ?? []);
  for (const { path, problem } of problems.slice(0, maxListed))
    diagnostics.add("SKD06", { file: path }, `${path}: ${problem}`);
  const more = problems.length - maxListed;
  if (more > 0)
    diagnostics.add(
      "SKD06",
      { file: "." },
      `.: ${pluralize(more, "more path")} with the same kind of problem`,
    );
}

interface PathProblem {
  /** Relative to the folder, `/`-separated; `.` for the folder itself. */
  path: string;
  problem: string;
}

/** One for each path, in their order. */
function problemsIn(dir: string, ignore: readonly string[]): PathProblem[] {
  const problems = new Map<string, string>();
  const onProblem = (path: string, problem: string) => problems.set(path === "" ? "." : path, problem);
  const entries = [...walkFolder(dir, { ignore, exclude: [], onProblem })];
  for (const [path, other] of duplicatesAmong(entries))
    problems.set(path, `same name as ${other} on file systems that ignore case or Unicode form`);
  for (const entry of entries) {
    const problem = findProblem(entry, dir);
    if (problem !== null) problems.set(entry.path, problem);
  }
  return [...problems]
    .map(([path, problem]) => ({ path, problem }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function findProblem({ kind, absolute, stats }: FolderEntry, dir: string): string | null {
  switch (kind) {
    case "folder":
      return null;
    case "file":
      return mayRead(absolute) ? null : "cannot be read (EACCES)";
    case "link":
      return isInside(dir, resolveLink(absolute)) ? null : "a symlink that points outside the skill folder";
    case "other":
      return stats.isFIFO() ? "a named pipe" : stats.isSocket() ? "a socket" : "a device";
    default:
      return kind satisfies never;
  }
}

function resolveLink(link: string): string {
  try {
    return whereLinkLeads(link);
  } catch {
    return link; // it went away, or became something else, since we looked
  }
}

function mayRead(absolute: string): boolean {
  try {
    accessSync(absolute, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Names that collide on a file system that ignores case or Unicode form, with the first of them. */
function duplicatesAmong(entries: readonly FolderEntry[]): [path: string, other: string][] {
  const first = new Map<string, string>();
  const others: [string, string][] = [];
  for (const path of entries.map((entry) => entry.path).sort()) {
    const at = path.lastIndexOf("/") + 1;
    const folded = `${path.slice(0, at)}${foldedName(path.slice(at))}`;
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else others.push([path, other]);
  }
  return others;
}

/** Upper case first, since `ß` and `SS` are one name too. */
function foldedName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
