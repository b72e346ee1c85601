import { closeSync, type Dirent, fstatSync, opendirSync, readSync } from "node:fs";
import { inOrder } from "../text/sort-and-group.ts";
import { shownText } from "../text/visible-text.ts";
import { folderPath, type GuardSeams, openInside } from "./guarded-open.ts";
import { errno, failedPath, type PathFacts, type PathRefusal } from "./path-guard.ts";

export interface FileTooLarge {
  ok: false;
  code: "FileTooLarge";
  reason?: undefined;
  message: string;
  path: PathFacts;
}

/** The bytes of a file below a base, if there are not too many. */
export function readInside(
  base: string,
  path: string,
  maxBytes: number,
  seams: GuardSeams = {},
): { ok: true; bytes: Buffer; path: PathFacts } | PathRefusal | FileTooLarge {
  const opened = openInside(base, path, "read", seams);
  if (!opened.ok) return opened;
  try {
    const bytes = readCapped(opened.fd, maxBytes);
    if (bytes !== null) return { ok: true, bytes, path: opened.path };
    const message = `${shownText(path)} is larger than ${maxBytes} bytes`;
    return { ok: false, code: "FileTooLarge", message, path: opened.path };
  } catch (error) {
    return failedPath(path, errno(error), opened.path.resolved);
  } finally {
    closeSync(opened.fd);
  }
}

/** A name in a folder. */
export interface FolderEntry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
}

/** The names in a folder below a base, by code units; the first that the system gives where there are too many. */
export function listInside(
  base: string,
  path: string,
  maxNames: number,
  seams: GuardSeams = {},
): { ok: true; entries: FolderEntry[]; isCut: boolean; path: PathFacts } | PathRefusal {
  const opened = openInside(base, path, "list", seams);
  if (!opened.ok) return opened;
  try {
    const { entries, isCut } = readNames(folderPath(opened), maxNames);
    return { ok: true, entries, isCut, path: opened.path };
  } catch (error) {
    return failedPath(path, errno(error), opened.path.resolved);
  } finally {
    closeSync(opened.fd);
  }
}

/** A file may grow while it is read. */
function readCapped(fd: number, maxBytes: number): Buffer | null {
  const { size } = fstatSync(fd);
  const chunks: Buffer[] = [];
  for (let total = 0, chunkBytes = size + 1; total <= maxBytes && size <= maxBytes; chunkBytes = growth) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(fd, chunk, 0, chunkBytes, null);
    if (count === 0)
      return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return null;
}

const growth = 1 << 16;

function readNames(folder: string, max: number): { entries: FolderEntry[]; isCut: boolean } {
  const entries: FolderEntry[] = [];
  const handle = opendirSync(folder);
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      if (entries.length === max) return { entries: sorted(entries), isCut: true };
      entries.push({ name: entry.name, kind: entryKind(entry) });
    }
    return { entries: sorted(entries), isCut: false };
  } finally {
    handle.closeSync();
  }
}

function sorted(entries: FolderEntry[]): FolderEntry[] {
  return entries.sort((a, b) => inOrder(a.name, b.name));
}

function entryKind(entry: Dirent): FolderEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
