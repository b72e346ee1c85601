import { chmodSync, chownSync, cpSync, lstatSync, mkdtempSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { realPath } from "../shared/files/paths.ts";
import { sandboxGroup } from "./host/slots.ts";

/**
 * Returns a readable version of a path: itself, or a copy if the unprivileged user of the sandbox cannot access it or
 * cannot read all of it. Each state of it is copied once, and only their group can read it.
 */
export function reachableCopies(
  root: () => string,
  canReach: (path: string) => boolean,
): (path: string, version?: string) => string {
  const known = new Map<string, string>();
  const isRoot = process.getuid?.() === 0;
  return (named, version = "") => {
    const path = realPath(named); // a link would be copied as a link to an inaccessible path
    const state = `${path}\0${version}`;
    const shown =
      known.get(state) ??
      (!isRoot || (canReach(path) && isOpenToAll(path)) ? path : copyForGroup(path, root()));
    known.set(state, shown);
    return shown;
  };
}

/** Links stay links: their targets are not part of the request. */
function copyForGroup(path: string, root: string): string {
  const folder = mkdtempSync(join(root, "copy-"));
  chmodSync(folder, 0o711);
  const copy = join(folder, basename(path) || "root");
  cpSync(path, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: isPlain });
  for (const { entry, isFolder, mode } of readEntries(copy)) {
    chownSync(entry, 0, sandboxGroup());
    chmodSync(entry, isFolder || mode & 0o111 ? 0o750 : 0o640);
  }
  return copy;
}

/** Sockets and pipes cannot be copied, and belong to some other program. */
function isPlain(path: string): boolean {
  const found = lstatSync(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

function isOpenToAll(path: string): boolean {
  for (const { isFolder, mode } of readEntries(path)) {
    const needed = isFolder ? 0o5 : 0o4;
    if ((mode & needed) !== needed) return false;
  }
  return true;
}

/** Files and folders, but no links: those have no rights of their own. */
function* readEntries(path: string): Generator<{ entry: string; isFolder: boolean; mode: number }> {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  yield { entry: path, isFolder: found.isDirectory(), mode: found.mode };
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) yield* readEntries(join(path, name));
}
