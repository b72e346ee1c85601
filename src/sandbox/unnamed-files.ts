import { type Stats, statSync } from "node:fs";
import { namesIn } from "./host/names-in.ts";

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
