import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/** The first executable of this name on the search path, or null. Absolute, since it may be started in another folder. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  for (const path of findPrograms(name, env)) return path;
  return null;
}

/** Every executable of this name on the search path, the first one first. */
export function* findPrograms(name: string, env: NodeJS.ProcessEnv): Generator<string, void, undefined> {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const path = resolve(folder, name);
    if (folder !== "" && isExecutable(path)) yield path;
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether this Node runs TypeScript files as they are: from 22.18 on. */
export function readsTypeScript(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}
