import { lstatSync, type Stats, statSync } from "node:fs";
import { namesIn, pathsBelow } from "./host/folders.ts";

/** So many entries are looked at in one go; a folder with more is measured over several. */
const entriesPerLook = 500;

export interface FolderMeter extends Disposable {
  /** Bytes on the disk, as far as they are known by now. */
  look(): number;
}

/** Measures again and again what a folder takes on the disk, a bounded piece of work at a time. */
export function folderMeter(folder: string): FolderMeter {
  let walk = roomOfEach(folder);
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
        walk = roomOfEach(folder);
        return last;
      }
      found += next.value;
    }
    return Math.max(found, last);
  }

  return { look, [Symbol.dispose]: () => void walk.return(undefined) };
}

function* roomOfEach(root: string): Generator<number, void, undefined> {
  for (const path of pathsBelow(root)) yield roomOf(path);
}

/** An empty file takes room too, if only in the tables of the disk; and a million of them is a burden to be cleared away. */
const minRoom = 1024;

/** The room a file takes, not the length it claims: a gigabyte that was never written costs nothing. */
function roomOf(path: string): number {
  try {
    return Math.max(minRoom, lstatSync(path).blocks * 512);
  } catch {
    return 0;
  }
}

/**
 * What files on the disk of this folder take that have no name any more, and stay only because one of these processes
 * has them open. No walk through a folder finds them.
 */
export function unnamedBytes(processes: readonly number[], folder: string): number {
  const disk = statOf(folder)?.dev;
  const found = new Map<number, number>();
  for (const pid of processes) {
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      const file = statOf(`/proc/${pid}/fd/${descriptor}`);
      if (file?.nlink === 0 && file.dev === disk && file.isFile()) found.set(file.ino, file.blocks * 512);
    }
  }
  return [...found.values()].reduce((total, bytes) => total + bytes, 0);
}

/** Null when it was closed while we looked, or belongs to somebody else. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
