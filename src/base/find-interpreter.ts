import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findProgram, isExecutable } from "../base/find-program.ts";

/**
 * Where a program really is. A name with a separator counts from the skill's folder, any other from the search path.
 * A version manager's `python3` is a script that looks the interpreter up at every start and costs more than the start
 * itself; it is asked once and then left out of the way.
 */
export async function findInterpreter(
  program: string,
  dir: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const path = program.includes("/") ? resolve(dir, program) : findProgram(program, env);
  if (path === null || !isExecutable(path)) return null;
  // Only what the user's own search path offers is asked: a `python3` that comes with a skill is the skill's code.
  if (program.includes("/") || !/^python[\d.]*$/.test(program) || !isScript(path)) return path;
  const question = `${path}\0${versionFileAbove(dir)}`;
  const known = realInterpreters.get(question) ?? askExecutable(path, dir, env);
  realInterpreters.set(question, known);
  return known;
}

const realInterpreters = new Map<string, Promise<string>>();

function askExecutable(shim: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done) => {
    const question = ["-I", "-S", "-c", "import sys; print(sys.executable)"];
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
