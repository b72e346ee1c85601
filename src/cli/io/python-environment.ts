import { dirname, resolve } from "node:path";
import { pythonVariable } from "../../contract/limits.ts";
import { findProgram, isExecutable } from "../../shared/files/find-program.ts";
import { UserError } from "../../shared/user-error.ts";

/** The environment of the runner with the Python that the user chose first in it; unchanged where they chose none. */
export function withPython(env: NodeJS.ProcessEnv, chosen: string | null, cwd: string): NodeJS.ProcessEnv {
  if (chosen === null) return env;
  const path = chosen.includes("/") ? resolve(cwd, chosen) : findProgram(chosen, env);
  if (path === null || !isExecutable(path))
    throw new UserError("usage", `--python: ${chosen} is not an executable program`, {
      path: path ?? undefined,
      hint: "pass the interpreter of the virtual environment, such as .venv/bin/python",
    });
  return { ...env, [pythonVariable]: path, PATH: [dirname(path), env.PATH ?? ""].join(":") };
}
