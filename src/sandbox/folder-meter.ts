import { lstatSync, type Stats, statSync } from "node:fs";
import { namesIn, pathsBelow } from "./host/folders.ts";

/** Entries per step; a folder with more is measured over several steps. */
const entriesPerLook = 500;

export interface FolderMeter extends Disposable {
  /** Bytes on the disk, as far as they are known by now. */
  look(): number;
}

/** Measures again and again what a folder takes on the disk, a bounded piece of work at a time. */
export function folderMeter(folder: string): FolderMeter {
  let walk = eachDiskBytes(folder);
  /** What the walk under way has found so far. */
  let found = 0;
  /** What the last whole walk found. */
  let last = 0;

  function look(): number {
    for (let count = 0; count < entriesPerLook; count++) {
      const next = walk.next();
      if (next.done) {
        last = found;
        found = 0;
        walk = eachDiskBytes(folder);
        return last;
      }
      found += next.value;
    }
    return Math.max(found, last);
  }

  return { look, [Symbol.dispose]: () => void walk.return(undefined) };
}

function* eachDiskBytes(root: string): Generator<number, void, undefined> {
  for (const path of pathsBelow(root)) yield diskBytes(path);
}

/** An empty file takes space too, if only for its inode, and a million of them are slow to remove. */
const minFileBytes = 1024;

/** The disk space of a file, not its length: a sparse gigabyte costs nothing. */
function diskBytes(path: string): number {
  try {
    return Math.max(minFileBytes, lstatSync(path).blocks * 512);
  } catch {
    return 0;
  }
}

/**
 * The disk space of deleted files on the disk of this folder that one of these processes still has open. No walk through
 * a folder finds them.
 */
export function unnamedBytes(processes: readonly number[], folder: string): number {
  const disk = tryStat(folder)?.dev;
  const found = new Map<number, number>();
  for (const pid of processes) {
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      const file = tryStat(`/proc/${pid}/fd/${descriptor}`);
      if (file?.nlink === 0 && file.dev === disk && file.isFile()) found.set(file.ino, file.blocks * 512);
    }
  }
  return [...found.values()].reduce((total, bytes) => total + bytes, 0);
}

/** Null if it was closed meanwhile, or belongs to another user. */
function tryStat(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
