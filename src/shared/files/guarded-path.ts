import { lstatSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import {
  blockedPath,
  errno,
  failedPath,
  lexicalProblem,
  namesBase,
  type PathFacts,
  type PathRefusal,
} from "./path-guard.ts";
import { isInside, whereLinkLeads } from "./paths.ts";

/** Where something lies below a base. */
export interface PathInside {
  ok: true;
  kind: PathKind;
  /** The base and the thing, absolute and with links followed: for programs, never for messages. */
  base: string;
  real: string;
  path: PathFacts;
}
export type PathKind = "file" | "folder";

/** Looks for a file or a folder below a base, which may itself be a link. Opens nothing. */
export function locateInside(base: string, path: string, kind: PathKind): PathInside | PathRefusal {
  const problem = kind === "folder" && namesBase(path) ? null : lexicalProblem(path);
  if (problem !== null) return blockedPath(path, "lexical", problem);
  let realBase: string | null = null;
  try {
    realBase = realpathSync.native(base);
    const real = realpathSync.native(join(realBase, path));
    if (!isInside(realBase, real)) return outside(path);
    const facts = factsAbout(path, realBase, real);
    return otherKind(real, kind, facts) ?? { ok: true, kind, base: realBase, real, path: facts };
  } catch (error) {
    if (realBase !== null && leadsOut(realBase, path)) return outside(path);
    return failedPath(path, errno(error));
  }
}

export function factsAbout(requested: string, base: string, real: string): PathFacts {
  return { requested, resolved: relative(base, real).split(sep).join("/") || ".", inside: true };
}

function outside(path: string): PathRefusal {
  return blockedPath(path, "outside", "points outside its folder");
}

/** Looked at before anything is opened: to open a device can already do something. */
function otherKind(real: string, kind: PathKind, { requested, resolved }: PathFacts): PathRefusal | null {
  const stats = lstatSync(real);
  if (kind === "file" ? stats.isFile() : stats.isDirectory()) return null;
  if (stats.isDirectory()) return failedPath(requested, "EISDIR", resolved);
  if (stats.isFile()) return failedPath(requested, "not_a_folder", resolved);
  return blockedPath(requested, "not_regular", "is not a regular file");
}

/**
 * Whether a way that ends nowhere leaves the base before: through a link to a folder outside, or by a link to nothing
 * outside. To answer that nothing is there would disclose what is outside.
 */
function leadsOut(base: string, path: string): boolean {
  let current = base;
  for (const segment of path.split("/")) {
    const next = join(current, segment);
    try {
      current = realpathSync.native(next);
    } catch {
      return !isInside(base, whereLinkMayLead(next));
    }
    if (!isInside(base, current)) return true;
  }
  return false;
}

function whereLinkMayLead(path: string): string {
  try {
    return whereLinkLeads(path);
  } catch {
    return path; // no link: nothing of this name is there
  }
}
