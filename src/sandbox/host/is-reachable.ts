import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Whether a user without any rights of their own can walk to this file or folder and read it. As root, skill processes
 * run under such a user: what lies below `/root` cannot be shown to them.
 */
export function isReachable(path: string): boolean {
  try {
    const real = realpathSync(path);
    const itself = statSync(real);
    const needed = itself.isDirectory() ? 0o5 : 0o4;
    if ((itself.mode & needed) !== needed) return false;
    for (let folder = dirname(real); ; folder = dirname(folder)) {
      if ((statSync(folder).mode & 0o1) === 0) return false;
      if (folder === dirname(folder)) return true;
    }
  } catch {
    return false;
  }
}
