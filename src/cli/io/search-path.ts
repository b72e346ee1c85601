import { delimiter, dirname, isAbsolute } from "node:path";
import { isInside, realPath } from "../../shared/files/paths.ts";

/**
 * The search path without the folders that any clone could fill: relative ones, and the `node_modules/.bin` that npx and
 * npm put in front. We start `git` and `bwrap` by name, outside of every sandbox.
 */
export function trustedSearchPath(path: string, cwd: string): string {
  const project = realPath(cwd);
  const isOfClone = (folder: string) =>
    folder.endsWith("/node_modules/.bin") && isInside(realPath(dirname(dirname(folder))), project);
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfClone(folder))
    .join(delimiter);
}
