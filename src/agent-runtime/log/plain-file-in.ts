import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/** The bytes of a plain file below this folder; null where it is missing, too long, a link, behind a link, or anything else. */
export function plainFileIn(dir: string, ref: string, longest: number): Uint8Array | null {
  const parts = splitPath(ref);
  if (parts === null) return null;
  try {
    // A file at the top has no folder on its way, and is not opened where it is a link itself.
    if (parts.length === 1) return readPlain(join(dir, ref), longest);
    const path = join(realpathSync.native(dir), ...parts);
    // A link on the way would make it another path.
    if (realpathSync.native(path) !== path) return null;
    return readPlain(path, longest);
  } catch {
    return null;
  }
}

/** What lies at a path below this folder; null for nothing. Nothing is followed: a link on the way is what lies there. */
export function kindIn(dir: string, ref: string): "file" | "other" | null {
  const parts = splitPath(ref);
  if (parts === null) return null;
  let path = dir;
  for (const [n, part] of parts.entries()) {
    path = join(path, part);
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return null;
    if (n === parts.length - 1) return facts.isFile() ? "file" : "other";
    if (!facts.isDirectory()) return facts.isFile() ? null : "other";
  }
  return null;
}

/** Null for a path that leads elsewhere, or nowhere. */
function splitPath(ref: string): string[] | null {
  const parts = ref.split("/");
  if (ref.includes("\0") || parts.some((part) => part === "" || part === "." || part === "..")) return null;
  return sep === "\\" && /[\\:]/.test(ref) ? null : parts;
}

/** Never blocks: opening a pipe would wait for a writer. */
function readPlain(path: string, longest: number): Uint8Array | null {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= longest ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}
