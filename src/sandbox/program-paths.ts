import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { interpretersBehindShims } from "../shared/files/find-interpreter.ts";
import { findPrograms } from "../shared/files/find-program.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import { isOfKernel, isSystemPath } from "./host/system-folders.ts";

/** A path that must be shown so that a program can be started. */
export interface ProgramPath {
  path: string;
  /** The folder it was installed in, of which only parts are shown; else the path itself. */
  installation: string;
}

interface ProgramContext {
  /** Where the user looks for programs. */
  env: NodeJS.ProcessEnv;
  /** Folders that a process sees anyway: that of the skill, and those the user granted. */
  shown: readonly string[];
  /** Folders that hold more than programs. */
  isPrivate(folder: string): boolean;
}

/**
 * What of the machine must be shown so that a program can be started, link by link. An entrypoint may name any path of
 * the machine, so only what the user offers is shown: a program found by name on their search path. A link
 * of a skill's folder leads no further than that, while the user's own links do.
 */
export function programPaths(
  program: string,
  context: ProgramContext,
): { paths: ProgramPath[] /** The first place that is not shown. */; hidden: string | null } {
  const paths = new Map<string, ProgramPath>();
  let isOffered = false;
  for (const hop of hops(program)) {
    if (context.shown.some((folder) => isInside(folder, hop))) isOffered = false;
    else if (isSystemPath(hop)) isOffered = true;
    else if (!isOfKernel(hop) && existsSync(hop)) {
      isOffered ||= isOfUser(hop, context);
      if (!isOffered) return { paths: [], hidden: hop };
      for (const found of installedParts(hop, context.isPrivate)) paths.set(found.path, found);
    }
  }
  return { paths: [...paths.values()], hidden: null };
}

/** What must be shown of a program that we start for ourselves, wherever it lies. */
export function ownProgramPaths(program: string, isPrivate: ProgramContext["isPrivate"]): ProgramPath[] {
  return hops(program)
    .filter((path) => !isSystemPath(path) && !isOfKernel(path) && existsSync(path))
    .flatMap((path) => installedParts(path, isPrivate));
}

/** Programs that virtual environments lead to. */
const runtimes = ["python3", "python", "node"];

/**
 * Whether the user starts this program by its name, or another one that is installed together with it. Its place
 * counts and not what it leads to: a virtual environment of another project leads to the same interpreter.
 */
function isOfUser(path: string, { env, shown }: ProgramContext): boolean {
  const prefix = installPrefix(path);
  const named = [basename(path), ...runtimes].flatMap((name) => [...findPrograms(name, ownFolders(env))]);
  const offered = [...named, ...interpretersBehindShims()]
    .filter((candidate) => !shown.some((folder) => isInside(folder, candidate)))
    .flatMap(hops);
  if (offered.some((place) => place === path || (prefix !== null && installPrefix(place) === prefix)))
    return true;
  return prefix !== null && isManaged(realPath(prefix), env);
}

/** The search path without folders that come with whatever project is worked in. */
function ownFolders({ PATH = "" }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folders = PATH.split(":");
  const own = folders.filter((folder) => isAbsolute(folder) && !folder.split("/").includes("node_modules"));
  return { PATH: own.join(":") };
}

/** Where version managers install runtimes, below the home folder or where a variable says. */
const managers: readonly (readonly [variable: string, usual: string, below: string])[] = [
  ["PYENV_ROOT", ".pyenv", "versions"],
  ["UV_PYTHON_INSTALL_DIR", ".local/share/uv/python", "."],
  ["ASDF_DATA_DIR", ".asdf", "installs"],
  ["MISE_DATA_DIR", ".local/share/mise", "installs"],
  ["NVM_DIR", ".nvm", "versions/node"],
  ["FNM_DIR", ".local/share/fnm", "node-versions"],
  ["VOLTA_HOME", ".volta", "tools/image"],
  ["NODENV_ROOT", ".nodenv", "versions"],
];

/** Whether a version manager of the user installed what is there: a runtime, and no virtual environment of a project. */
function isManaged(prefix: string, env: NodeJS.ProcessEnv): boolean {
  if (existsSync(join(prefix, "pyvenv.cfg"))) return false;
  return managers.some(([variable, usual, below]) =>
    [env[variable], ...homes().map((home) => join(home, usual))].some(
      (root) => root !== undefined && isAbsolute(root) && isInside(realPath(join(root, below)), prefix),
    ),
  );
}

/** Of an installation its programs and libraries, of a program that lies elsewhere the file alone. */
function installedParts(path: string, isPrivate: ProgramContext["isPrivate"]): ProgramPath[] {
  const prefix = installPrefix(path);
  // By its real path too: a link may lead to far more than its name says.
  if (prefix === null || isPrivate(prefix) || isPrivate(realpathSync(prefix)))
    return [{ path, installation: path }];
  return readdirSync(prefix)
    .filter((name) => partOfInstallation.test(name))
    .map((name) => ({ path: join(prefix, name), installation: prefix }));
}

const partOfInstallation = /^(?:bin|lib(?:32|64|x32|exec)?|include|share|pyvenv\.cfg)$/;

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
