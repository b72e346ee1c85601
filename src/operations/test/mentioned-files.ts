import { realPath } from "../../shared/files/paths.ts";
import { mentionedPaths } from "../../skills/folder/mentioned-paths.ts";
import type { FileChange, FileChanges } from "./file-changes.ts";

/**
 * Follows the paths that files mention: a scorer of a suite, a schema of a bench, an import of a program, whatever the
 * language. Paths are found by their looks, so a sentence about a file is a mention too: rather run too much.
 */
export interface MentionedFiles {
  /** A changed file that one of these mentions, or that a mentioned file mentions; null where none is. */
  changedBeyond(folder: string, files: readonly string[]): FileChange | null;
}

/** Every file is read once, however many mention it. */
export function followMentions(changes: FileChanges): MentionedFiles {
  const followed = new Map<string, FileChange | null>();

  function changedFrom(files: readonly string[], own: string): FileChange | null {
    for (const file of files)
      for (const path of mentionedPaths(file, own)) {
        const change = changedAt(path);
        if (change !== null) return change;
      }
    return null;
  }

  function changedAt(path: string): FileChange | null {
    const known = followed.get(path);
    if (known !== undefined) return known;
    followed.set(path, null); // files that mention each other end here
    const [first = null] = changes.below(path);
    const change = first ?? changedFrom(changes.files(path).slice(0, maxFiles), path);
    followed.set(path, change);
    return change;
  }

  return { changedBeyond: (folder, files) => changedFrom(files.slice(0, maxFiles), realPath(folder)) };
}

/** Of a folder no more are read. */
const maxFiles = 2000;
