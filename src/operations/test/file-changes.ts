import { existsSync } from "node:fs";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { isFolder } from "../../skills/discover/scan-folders.ts";
import { filesBelow } from "./files-below.ts";

/** A file that is not what it was. */
export interface FileChange {
  /** Absolute, links on the way to it followed. */
  path: string;
  how: "changed" | "new" | "deleted";
}

/** What changed: since a commit, or since somebody began to watch. */
export interface FileChanges {
  /** What changed in a folder and below it, or of one file; by name. */
  below(path: string): Iterable<FileChange>;
  /** The files that are known in a folder and below it, or one file. */
  files(path: string): string[];
}

/** The changes that a watcher saw, as they lie on the disk now. */
export function seenChanges(seen: Iterable<string>): FileChanges {
  const changed = [...new Set([...seen].map(realPath))].sort();
  return {
    *below(path) {
      const real = realPath(path);
      for (const one of changed)
        if (isInside(real, one)) yield { path: one, how: existsSync(one) ? "changed" : "deleted" };
    },
    files: (path) => (isFolder(path) ? filesBelow(path).map(realPath) : [realPath(path)]),
  };
}
