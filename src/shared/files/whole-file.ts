import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, realDisk, writeFully } from "./disk.ts";

const chunkSize = 1 << 16;

/** Writes a file so that a reader sees all of it or none: temporary name, sync, rename, sync of the folder. */
export function writeWholeFile(
  path: string,
  text: string | Iterable<string>,
  { mode = 0o666, disk = realDisk }: { mode?: number; disk?: Disk } = {},
): void {
  putInPlace(path, disk, (temporary) => {
    const file = disk.open(temporary, "wx", mode);
    closing(file, disk, () => {
      writeChunks(file, typeof text === "string" ? [text] : text, disk);
      disk.sync(file);
    });
  });
}

/** Copies a file in the same way. */
export function copyWholeFile(from: string, to: string, disk: Disk = realDisk): void {
  putInPlace(to, disk, (temporary) => {
    disk.copy(from, temporary);
    syncFile(temporary, disk);
  });
}

/** Gives a file that is complete its name, so that it still has both after a loss of power. */
export function renameWholeFile(from: string, to: string, disk: Disk = realDisk): void {
  syncFile(from, disk);
  disk.rename(from, to);
  syncFolder(dirname(to), disk);
}

/**
 * Removes what a writer that was killed left of files whose names begin so; old ones only, since a younger one may be in
 * the making. A courtesy: what cannot be removed stays.
 */
export function clearUnfinished(folder: string, namesBegin: string, olderThanMs = 3_600_000): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`.${namesBegin}`) || !name.endsWith(".tmp")) continue;
      const path = join(folder, name);
      if (statSync(path).mtimeMs < Date.now() - olderThanMs) realDisk.remove(path);
    }
  } catch {
    // somebody else was quicker, or it is not ours to remove
  }
}

function putInPlace(path: string, disk: Disk, make: (temporary: string) => void): void {
  refuseOther(path);
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    make(temporary);
    disk.rename(temporary, path);
  } catch (error) {
    removeIfPossible(temporary, disk);
    throw error;
  }
  syncFolder(folder, disk);
}

/** The first error is the one to report. */
function removeIfPossible(path: string, disk: Disk): void {
  try {
    disk.remove(path);
  } catch {
    // a disk that refuses even that is cleared by `clearUnfinished`, later
  }
}

/** The rename would replace a pipe or a device such as `/dev/null` by a plain file. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw new Error(found.isDirectory() ? "it is a folder" : "it is not a regular file");
}

function writeChunks(file: number, pieces: Iterable<string>, disk: Disk): void {
  let waiting = "";
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < chunkSize) continue;
    writeFully(file, Buffer.from(waiting), disk);
    waiting = "";
  }
  if (waiting !== "") writeFully(file, Buffer.from(waiting), disk);
}

function syncFile(path: string, disk: Disk): void {
  const file = disk.open(path, "r");
  closing(file, disk, () => disk.sync(file));
}

function syncFolder(folder: string, disk: Disk): void {
  try {
    syncFile(folder, disk);
  } catch (error) {
    // Some file systems cannot sync a folder. Any other failure may take the new name back with the next power loss.
    if (!cannotSyncFolders.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

const cannotSyncFolders = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR", "EACCES", "EPERM"]);

function closing(file: number, disk: Disk, work: () => void): void {
  try {
    work();
  } finally {
    disk.close(file);
  }
}
