import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder and what is missing above it. Node's own way never returns where a file system refuses, as `/proc` does. */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile; a file in its place is still an error.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
