import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { findPrograms, isExecutable } from "./find-program.ts";
import { isInside, realPath } from "./paths.ts";

interface FoundProgram {
  /** Null where there is none that could be run. */
  path: string | null;
  /** The one that would have been taken, had the sandbox been able to reach it. */
  passedOver: string | null;
}

/**
 * Where a program really is. A name with a separator counts from the folder, any other from the search path, where
 * what a process in the sandbox could not reach is passed over.
 */
export async function findInterpreter(
  program: string,
  dir: string,
  env: NodeJS.ProcessEnv,
  canReach: (path: string) => boolean = () => true,
): Promise<FoundProgram> {
  if (program.includes("/")) {
    const path = resolve(dir, program);
    if (!isExecutable(path)) return { path: null, passedOver: null };
    return canReach(path) ? { path, passedOver: null } : { path: null, passedOver: path };
  }
  let passedOver: string | null = null;
  for (const found of findPrograms(program, env)) {
    const path = await behindShim(found, program, dir, env);
    if (canReach(path)) return { path, passedOver };
    passedOver ??= path;
  }
  return { path: null, passedOver };
}

/**
 * A version manager's `python3` is a script that looks the interpreter up at every start and costs more than the start
 * itself; it is run once and then bypassed.
 */
async function behindShim(
  path: string,
  program: string,
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const words = questions.find(({ name }) => name.test(program))?.words;
  if (words === undefined || !isScript(path)) return path;
  const known = answers.get(path) ?? askExecutable(path, words, dir, env);
  answers.set(path, known);
  return known;
}

const questions = [
  { name: /^python[\d.]*$/, words: ["-I", "-S", "-c", "import sys; print(sys.executable)"] },
  { name: /^node$/, words: ["-p", "process.execPath"] },
];

const answers = new Map<string, Promise<string>>();
const interpreters = new Set<string>();

/** The interpreters that version managers on the search path stand for, as far as they were asked. */
export function interpretersBehindShims(): ReadonlySet<string> {
  return interpreters;
}

async function askExecutable(
  shim: string,
  question: readonly string[],
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const answer = await askProgram(shim, question, dir, env);
  if (answer === null || !isAbsolute(answer) || !isExecutable(answer)) return shim;
  interpreters.add(answer);
  return answer;
}

/**
 * What a program outside the sandbox prints; null where it fails, or where it must not be run. It sees no secret and no
 * file of the project: a version manager goes by the files above the folder it is started in, and by what its
 * environment says.
 */
export async function askProgram(
  program: string,
  words: readonly string[],
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (!mayAsk(program, dir)) return null;
  const options = { cwd: "/", env: quietEnvironment(env, projectAround(dir)), timeout: 10_000 };
  return new Promise((done) => {
    execFile(askedPath(program), words, options, (error, stdout) =>
      done(error === null ? stdout.trim() : null),
    );
  });
}

/** Whether a program may be run outside the sandbox: not one that came with the project. */
export function mayAsk(program: string, dir: string): boolean {
  const project = projectAround(dir);
  const path = askedPath(program);
  return !isOfProject(path, project) && !isOfProject(realPath(path), project);
}

/** A link that leads to a program of the machine would still bring the `pyvenv.cfg` beside it. */
function askedPath(program: string): string {
  return isScript(program) ? program : realPath(program);
}

/** What a program and a version manager need to find themselves, as the user has set it. */
const variables = [
  ...["HOME", "USER", "LANG", "LC_ALL", "XDG_CONFIG_HOME", "XDG_DATA_HOME"],
  ...["PYENV_ROOT", "PYENV_VERSION", "NODENV_ROOT", "NODENV_VERSION", "NVM_DIR", "FNM_DIR", "VOLTA_HOME"],
  ...["ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CONFIG_DIR"],
];

function quietEnvironment(env: NodeJS.ProcessEnv, project: string | null): NodeJS.ProcessEnv {
  const folders = (env.PATH ?? "").split(delimiter);
  const PATH = folders.filter((folder) => isAbsolute(folder) && !isOfProject(folder, project));
  const kept = variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(kept), PATH: PATH.join(delimiter) };
}

/** Whether a program may have come with a project: npm puts folders of it on the search path. */
function isOfProject(path: string, project: string | null): boolean {
  return (project !== null && isInside(project, path)) || path.split("/").includes("node_modules");
}

const marksOfProject = [".git", ".hg", ".jj", "eval-skills.config.yaml", "package.json", "pyproject.toml"];

/** The outermost folder around this one that looks like a project; null for the home folder and what is above it. */
function projectAround(dir: string): string | null {
  const home = realPath(homedir());
  let project: string | null = null;
  for (
    let folder = realPath(dir);
    !isInside(folder, home) && folder !== dirname(folder);
    folder = dirname(folder)
  )
    if (project === null || marksOfProject.some((name) => existsSync(join(folder, name)))) project = folder;
  return project;
}

function isScript(path: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const start = Buffer.alloc(2);
      readSync(file, start, 0, 2, 0);
      return start.toString("latin1") === "#!";
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // What may be run but not read is not a script: its interpreter could not read it either.
  }
}
