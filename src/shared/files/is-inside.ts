import { isAbsolute, relative, sep } from "node:path";

/**
 * Whether a path is this folder or lies below it; by its parts, since `/root-evil` begins with `/root` too. Both must be
 * real paths, or neither.
 */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
