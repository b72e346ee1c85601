import { existsSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../shared/files/paths.ts";
import { isOfKernel, isSystemPath } from "./host/system-folders.ts";

/**
 * What of the machine must be shown so that a program can be started: for an interpreter in a folder of its own that
 * folder with its libraries, else the file alone. Nothing for what the system folders hold.
 */
export function programPaths(program: string, isPrivate: (folder: string) => boolean): string[] {
  const paths = hops(program)
    .filter((path) => !isSystemPath(path) && !isOfKernel(path) && existsSync(path))
    .flatMap((path) => {
      const prefix = installPrefix(path);
      // By its real path too: a link may lead to far more than its name says.
      if (prefix === null || isPrivate(prefix) || isPrivate(realpathSync(prefix))) return [path];
      return isProject(prefix) ? existing(prefix, partsOfInterpreter) : [prefix];
    });
  return [...new Set(paths)];
}

/** Whether this folder holds personal files: a program in it must not expose the rest, above all keys. */
function isProject(folder: string): boolean {
  return existing(folder, signsOfProject).length > 0;
}

const signsOfProject = [".git", ".env", "package.json", "pyproject.toml", "go.mod", "Cargo.toml"];
const partsOfInterpreter = ["bin", "lib", "lib64", "pyvenv.cfg"];

function existing(folder: string, names: readonly string[]): string[] {
  return names.map((name) => join(folder, name)).filter((path) => existsSync(path));
}

/** Folders that hold far more than an interpreter, although they look like an install prefix. */
export function isPersonal(folder: string): boolean {
  return homes().some((home) => isInside(folder, home) || folder === join(home, ".local"));
}

/** The variable may say something else than the list of users. */
function homes(): string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    return [homedir()]; // In a container a user may be in no list.
  }
}

/** A program and what it leads to, link by link: inside each of them must be there. */
function hops(program: string): string[] {
  const found = [program];
  try {
    for (let path = program; found.length < 10; found.push(path))
      path = resolve(dirname(path), readlinkSync(path));
  } catch {
    // It is not a link.
  }
  try {
    found.push(realpathSync(program));
  } catch {
    // There is no such program. Nothing is shown for it, and starting it fails as it does anywhere.
  }
  return found;
}

/** `/opt/python` for `/opt/python/bin/python3` with its libraries in `/opt/python/lib`. */
function installPrefix(path: string): string | null {
  const folder = dirname(path);
  if (basename(folder) !== "bin") return null;
  const prefix = dirname(folder);
  return isFolder(join(prefix, "lib")) ? prefix : null;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
