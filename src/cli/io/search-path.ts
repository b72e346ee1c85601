import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isInside, realPath } from "../../shared/files/paths.ts";

/** Programs that we start by name, outside of every sandbox. */
const ownTools = ["bwrap", "prlimit", "unshare", "mount", "setpriv", "git"];

/**
 * The search path without the folders that any clone could fill: relative ones, the `node_modules/.bin` that npx and
 * npm put in front, and folders of the clone with a program of a name that we start outside of every sandbox. What else
 * the user put there, such as a virtual environment, stays.
 */
export function trustedSearchPath(path: string, { cwd, home }: { cwd: string; home: string }): string {
  const project = realPath(cwd);
  const clone = cloneAround(project);
  // Folders such as `~/.local/bin` are the user's own, also where the home is a repository.
  const hasClone = !isInside(clone, realPath(home));
  const isOfClone = (folder: string) =>
    folder.endsWith("/node_modules/.bin") && isInside(realPath(dirname(dirname(folder))), project);
  const shadowsTools = (folder: string) =>
    hasClone && isInside(clone, realPath(folder)) && ownTools.some((name) => existsSync(join(folder, name)));
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfClone(folder) && !shadowsTools(folder))
    .join(delimiter);
}

/** The nearest folder under version control; the folder itself where there is none. */
function cloneAround(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder))
    if ([".git", ".hg", ".jj"].some((name) => existsSync(join(folder, name)))) return folder;
  return cwd;
}
