import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first executable of this name on the search path, or null. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (folder !== "" && isExecutable(join(folder, name))) return join(folder, name);
  }
  return null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
