import { execFile } from "node:child_process";
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";

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
 * itself; it is run once and then bypassed. Only what the user's own search path offers is run: a
 * `python3` that comes with a skill is the skill's code.
 */
async function behindShim(
  path: string,
  program: string,
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const words = questions.find(({ name }) => name.test(program))?.words;
  if (words === undefined || !isScript(path)) return path;
  const question = `${path}\0${versionFileAbove(dir)}`;
  const known = realInterpreters.get(question) ?? askExecutable(path, words, dir, env);
  realInterpreters.set(question, known);
  return known;
}

const questions = [
  { name: /^python[\d.]*$/, words: ["-I", "-S", "-c", "import sys; print(sys.executable)"] },
  { name: /^node$/, words: ["-p", "process.execPath"] },
];

const realInterpreters = new Map<string, Promise<string>>();

function askExecutable(
  shim: string,
  question: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((done) => {
    execFile(shim, question, { cwd, env, timeout: 10_000 }, (error, stdout) => {
      const answer = stdout.trim();
      done(error === null && isAbsolute(answer) && isExecutable(answer) ? answer : shim);
    });
  });
}

const versionFiles = [".python-version", ".tool-versions", "mise.toml", ".mise.toml"];

/** What a version manager goes by: the nearest such file at or above a folder. Folders under the same one get the same answer. */
function versionFileAbove(dir: string): string | null {
  for (let folder = dir; ; folder = dirname(folder)) {
    const found = versionFiles.map((name) => join(folder, name)).find((file) => existsSync(file));
    if (found !== undefined || folder === dirname(folder)) return found ?? null;
  }
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

/** Whether this Node runs TypeScript files as they are: from 22.18 on. */
export function readsTypeScript(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}
