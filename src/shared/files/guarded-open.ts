import { closeSync, constants, ftruncateSync, lstatSync, type Stats, unlinkSync } from "node:fs";
import { join, posix } from "node:path";
import {
  type FindDescriptorPath,
  type OpenedInside,
  openDescriptor,
  readDescriptorPath,
} from "./guarded-descriptor.ts";
import { factsAbout, locateInside, type PathInside } from "./guarded-path.ts";
import {
  blockedPath,
  errno,
  failedPath,
  lexicalProblem,
  type PathFacts,
  type PathRefusal,
} from "./path-guard.ts";

/** `overwrite` empties the file once it is known to be the right one; only `create` makes one, and never in place of another. */
export type OpenMode = "read" | "list" | "create" | "overwrite" | "append";

/** For tests: what happens between checking a path and opening it, and how the path of a descriptor is found. */
export interface GuardSeams {
  afterCheck?: () => void;
  findPath?: FindDescriptorPath;
}

/**
 * Opens a file or a folder below a base: the one way by which the loader and the tools come to anything. The path is judged
 * by its letters, then by where it leads, then the open descriptor by what it is and where it lies.
 */
export function openInside(
  base: string,
  path: string,
  mode: OpenMode,
  seams: GuardSeams = {},
): OpenedInside | PathRefusal {
  if (mode === "create") return createInside(base, path, seams);
  const target = locateInside(base, path, mode === "list" ? "folder" : "file");
  if (!target.ok) return target;
  seams.afterCheck?.();
  const opened = openDescriptor(target, { flags: openFlags[mode], ...pathFinder(seams) });
  if (opened.ok && mode === "overwrite") ftruncateSync(opened.fd);
  return opened;
}

/** Deletes one plain file below a base. A link is not deleted, nor what it leads to. */
export function deleteInside(
  base: string,
  path: string,
  seams: GuardSeams = {},
): { ok: true; path: PathFacts } | PathRefusal {
  const found = openParent(base, path, seams);
  if (!found.ok) return found;
  try {
    const facts = found.target.path;
    const refusal = notDeletable(lstatSync(found.at), facts);
    if (refusal !== null) return refusal;
    unlinkSync(found.at);
    return { ok: true, path: facts };
  } catch (error) {
    return failedPath(path, errno(error));
  } finally {
    closeSync(found.parent);
  }
}

/** A path to this very folder that is open, whatever is put in its place; where there is no procfs, its real path. */
export function folderPath(
  { fd, real }: Pick<OpenedInside, "fd" | "real">,
  { findPath = readDescriptorPath }: GuardSeams = {},
): string {
  return findPath(fd) === null ? real : `/proc/self/fd/${fd}`;
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_DIRECTORY = 0 } = constants;
/** A link is not followed, and a pipe not waited for. */
const guard = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const openFlags: Readonly<Record<OpenMode, number>> = {
  read: O_RDONLY | guard,
  list: O_RDONLY | O_DIRECTORY | guard,
  create: O_WRONLY | O_CREAT | O_EXCL | guard,
  overwrite: O_WRONLY | guard,
  append: O_WRONLY | O_APPEND | guard,
};

function pathFinder({ findPath }: GuardSeams): { findPath?: FindDescriptorPath } {
  return findPath === undefined ? {} : { findPath };
}

function createInside(base: string, path: string, seams: GuardSeams): OpenedInside | PathRefusal {
  const there = locateInside(base, path, "file");
  if (there.ok) return failedPath(path, "EEXIST", there.path.resolved);
  if (there.reason !== "not_found") return there;
  const found = openParent(base, path, seams);
  if (!found.ok) return found;
  try {
    const opened = openDescriptor(found.target, {
      at: found.at,
      flags: openFlags.create,
      ...pathFinder(seams),
    });
    // The folder was moved away with our new file in it. By the descriptor of the folder we cannot hit another's.
    if (!opened.ok && opened.reason === "replaced" && found.at !== found.target.real) unlinkSync(found.at);
    return opened;
  } finally {
    closeSync(found.parent);
  }
}

/** The folder of an entry, open and checked, and the path of the entry, which may be anything or nothing. */
function openParent(
  base: string,
  path: string,
  seams: GuardSeams,
): { ok: true; parent: number; at: string; target: PathInside } | PathRefusal {
  const problem = lexicalProblem(path);
  if (problem !== null) return blockedPath(path, "lexical", problem);
  const name = posix.basename(path);
  if (path.endsWith("/") || name === ".") return failedPath(path, "EISDIR");
  const folder = locateInside(base, posix.dirname(path), "folder");
  if (!folder.ok) return about(path, folder);
  seams.afterCheck?.();
  const parent = openDescriptor(folder, { flags: openFlags.list, ...pathFinder(seams) });
  if (!parent.ok) return about(path, parent);
  const real = join(folder.real, name);
  const facts = factsAbout(path, folder.base, real);
  const target: PathInside = { ok: true, kind: "file", base: folder.base, real, path: facts };
  return { ok: true, parent: parent.fd, at: join(folderPath(parent, seams), name), target };
}

/** A refusal of the folder is reported for the requested path. */
function about(path: string, refusal: PathRefusal): PathRefusal {
  return { ...refusal, path: { ...refusal.path, requested: path } };
}

function notDeletable(stats: Stats, { requested, resolved }: PathFacts): PathRefusal | null {
  if (stats.isDirectory()) return failedPath(requested, "EISDIR", resolved);
  if (!stats.isFile()) return blockedPath(requested, "not_regular", "is not a regular file");
  if (stats.nlink > 1)
    return blockedPath(requested, "hard_link", "has a second hard link, which may be anywhere");
  return null;
}
