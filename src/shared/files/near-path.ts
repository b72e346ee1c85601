import { isAbsolute, relative } from "node:path";

/** A path as one would type it in this folder: what lies below it without the way there, anything else whole. */
export function nearPath(path: string, folder: string): string {
  const near = relative(folder, path);
  const isBelow = near !== "" && near !== ".." && !near.startsWith("../") && !isAbsolute(near);
  return isBelow ? near : path;
}
