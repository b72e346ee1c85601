import { lstatSync, type Stats, statfsSync, statSync } from "node:fs";
import { namesIn, pathsBelow } from "./host/folders.ts";

/** Entries per step; a folder with more is measured over several steps. */
const entriesPerLook = 500;

/** What a work folder may hold. */
export const workFolderBytes = 268_435_456;

export interface DiskMeter extends Disposable {
  /** Bytes on the disk, as far as they are known by now. What cannot be counted is infinite. */
  look(): number;
}

/** A disk in memory of a known size, by its path inside the sandbox. */
export interface MemoryDisk {
  at: string;
  bytes: number;
  /** Whether a process may not go on when it is full. */
  endsWhenFull: boolean;
}

/**
 * Measures the disks in memory of a sandbox. The kernel holds their content to their size, but an empty file takes memory
 * too.
 */
export function memoryDiskMeter(root: () => string | null, disks: readonly MemoryDisk[]): DiskMeter {
  const look = () => {
    const at = root();
    return at === null ? 0 : Math.max(...disks.map((disk) => memoryDiskBytes(at, disk)));
  };
  return { look, [Symbol.dispose]: () => {} };
}

function memoryDiskBytes(root: string, { at, bytes, endsWhenFull }: MemoryDisk): number {
  try {
    const { blocks, bsize, bfree, files, ffree } = statfsSync(`${root}${at}`);
    // Before the sandbox is set up another disk may be there.
    if (blocks * bsize !== bytes) return 0;
    return endsWhenFull && bfree === 0 ? Number.POSITIVE_INFINITY : (files - ffree) * minFileBytes;
  } catch {
    return 0; // It is gone, or not for us to see: its size is a limit all the same.
  }
}

/** Measures again and again what a folder takes on the disk, a bounded piece of work at a time. */
export function folderMeter(folder: string): DiskMeter {
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
  let closed = 0;
  const onUnreadable = (error: NodeJS.ErrnoException) => {
    closed += uncountable(error);
  };
  for (const path of pathsBelow(root, onUnreadable)) yield diskBytes(path) + closed;
  yield closed;
}

/** An empty file takes space too, if only for its inode, and a million of them are slow to remove. */
const minFileBytes = 1024;

/** The disk space of a file, not its length: a sparse gigabyte costs nothing. */
function diskBytes(path: string): number {
  try {
    return Math.max(minFileBytes, lstatSync(path).blocks * 512);
  } catch (error) {
    return uncountable(error as NodeJS.ErrnoException);
  }
}

/**
 * A folder nested deeper than the longest path, or closed to its own owner, can hold anything. What was removed
 * meanwhile takes nothing.
 */
function uncountable({ code = "" }: NodeJS.ErrnoException): number {
  return ["ENAMETOOLONG", "EACCES", "EPERM"].includes(code) ? Number.POSITIVE_INFINITY : 0;
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
