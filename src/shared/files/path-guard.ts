import { shownText } from "../text/visible-text.ts";

/** Where a path leads, for the audit. */
export type PathFacts = {
  requested: string;
  /** Relative to the base, `/`-separated, links followed; null where nothing is there or nobody looked. */
  resolved: string | null;
  inside: boolean;
};

/** Why a path is not opened. Messages name no path of the machine. */
export interface PathRefusal {
  ok: false;
  code: "PathTraversalBlocked" | "IOError";
  /** In a word: `lexical`, `outside`, `not_regular`, `hard_link`, `replaced`; `not_found`, `is_folder`, `exists` … */
  reason: string;
  message: string;
  path: PathFacts;
}

/** What is wrong with a path by its letters alone, before any file is looked at; null where it may be looked for. */
export function lexicalProblem(path: string): string | null {
  if (path === "") return "is empty";
  if (path.length > longestPath) return `is longer than ${longestPath} characters`;
  if (/\p{Cc}/u.test(path)) return "has a control character";
  if (path.includes("\\")) return "has a backslash";
  if (path.startsWith("/")) return "is absolute";
  if (path.startsWith("~")) return "begins with ~";
  if (/^[A-Za-z]:/.test(path)) return "begins with a drive letter";
  if (path.split("/").includes("..")) return "has a .. segment";
  if (namesBase(path)) return "names the folder itself";
  return null;
}

/** The same for the path of a built-in tool, which may begin with `skill:<name>/`; some take the base itself. */
export function toolPathProblem(path: string, takesBase: boolean): string | null {
  const { rest } = splitToolPath(path);
  return takesBase && namesBase(rest) ? null : lexicalProblem(rest);
}

/** A tool's path, taken apart: the skill it names, or null for the workspace, and the path below. */
export function splitToolPath(path: string): { skill: string | null; rest: string } {
  if (!path.startsWith(skillPrefix)) return { skill: null, rest: path };
  const named = path.slice(skillPrefix.length);
  const slash = named.indexOf("/");
  if (slash === -1) return { skill: named, rest: "." };
  return { skill: named.slice(0, slash), rest: named.slice(slash + 1) || "." };
}

/** Whether a path is `.`, however it is written. */
export function namesBase(path: string): boolean {
  return path.startsWith(".") && path.split("/").every((segment) => segment === "." || segment === "");
}

const skillPrefix = "skill:";
const longestPath = 4096;

/** A path that leaves its folder, or leads to something other than a plain file in it. */
export function blockedPath(requested: string, reason: string, problem: string): PathRefusal {
  return {
    ok: false,
    code: "PathTraversalBlocked",
    reason,
    message: `${requested === "" ? "the path" : shownText(requested)} ${problem}`,
    path: { requested, resolved: null, inside: false },
  };
}

/** A path that stays inside, but could not be opened: what the system said, in words. */
export function failedPath(requested: string, code: string, resolved: string | null = null): PathRefusal {
  const [reason, words] = failures[code] ?? ["failed", `could not be opened (${code})`];
  return {
    ok: false,
    code: "IOError",
    reason,
    message: `${shownText(requested)} ${words}`,
    path: { requested, resolved, inside: true },
  };
}

/** The code of a failed file operation. */
export function errno(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}

const failures: Readonly<Record<string, readonly [reason: string, words: string]>> = {
  ENOENT: ["not_found", "does not exist"],
  ENOTDIR: ["not_found", "does not exist"],
  ENAMETOOLONG: ["not_found", "does not exist"],
  EISDIR: ["is_folder", "is a folder"],
  EEXIST: ["exists", "exists already"],
  EACCES: ["no_permission", "may not be opened"],
  EPERM: ["no_permission", "may not be opened"],
  not_a_folder: ["not_a_folder", "is not a folder"],
};
