import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isFile } from "../../shared/files/paths.ts";

const maxDepth = 6;

/** The files in a folder and below it, by name. Hidden folders and those of package managers are passed over, and links to folders. */
export function filesBelow(folder: string, depth: number = maxDepth): string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 1 && !isSkipped(entry.name) ? filesBelow(path, depth - 1) : [];
    return entry.isFile() || (entry.isSymbolicLink() && isFile(path)) ? [path] : [];
  });
}

/** Whether a file is a bench by its name. */
export function isBench(path: string): boolean {
  return /\.planbench\.ya?ml$/.test(path);
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // no such folder, or not readable
  }
}

function isSkipped(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || name === "__pycache__";
}
