import { type Dir, opendirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The names in a folder; none where there is no such folder, or none that we may read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Everything in a folder, links not followed, each folder before what it holds. One folder after the other, so that no more
 * than one is open however deep they are nested.
 */
export function* pathsBelow(
  root: string,
  onUnreadable: (error: NodeJS.ErrnoException) => void = () => {},
): Generator<string, void, undefined> {
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, isFolder } of readEntries(folder, onUnreadable)) {
      const path = join(folder, name);
      if (isFolder) waiting.push(path);
      yield path;
    }
  }
}

function* readEntries(
  folder: string,
  onUnreadable: (error: NodeJS.ErrnoException) => void,
): Generator<{ name: string; isFolder: boolean }, void, undefined> {
  let entries: Dir | undefined;
  try {
    entries = opendirSync(folder);
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      yield { name: entry.name, isFolder: entry.isDirectory() };
    }
  } catch (error) {
    // It was removed meanwhile, is not readable, or is nested deeper than the maximum path length.
    onUnreadable(error as NodeJS.ErrnoException);
  } finally {
    entries?.closeSync();
  }
}
