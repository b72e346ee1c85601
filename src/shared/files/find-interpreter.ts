import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findPrograms, isExecutable } from "./find-program.ts";

export interface FoundProgram {
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
 * itself; it is asked once and then left out of the way. Only what the user's own search path offers is asked: a
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
    return false; // What may be run but not read is no script: its interpreter could not read it either.
  }
}
