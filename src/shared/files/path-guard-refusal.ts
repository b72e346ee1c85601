import { shownText } from "../text/visible-text.ts";
import type { PathRefusal } from "./path-guard.ts";

/** A path that leaves its folder, or would open what is no plain file of it. */
export function blockedPath(requested: string, reason: string, problem: string): PathRefusal {
  return {
    ok: false,
    code: "PathTraversalBlocked",
    reason,
    message: `${requested === "" ? "the path" : shownText(requested)} ${problem}`,
    path: { requested, resolved: null, inside: false },
  };
}

/** A path that is no way out, but could not be opened: what the system said, in words. */
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
