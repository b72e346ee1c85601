import type { Diagnosis } from "../../contract/findings.ts";
import { askProgram, findInterpreter } from "../../shared/files/find-interpreter.ts";
import { findProgram } from "../../shared/files/find-program.ts";
import { realPath } from "../../shared/files/paths.ts";

const programs = ["python3", "node", "bash"] as const;

/** What `doctor` reports about the programs most skills are written for: where they really are, and whether a skill can start them. */
export function diagnosePrograms(
  cwd: string,
  env: NodeJS.ProcessEnv,
  canReach: (path: string) => boolean,
): Promise<Diagnosis[]> {
  return Promise.all(programs.map((program) => diagnoseProgram(program, cwd, env, canReach)));
}

async function diagnoseProgram(
  program: (typeof programs)[number],
  cwd: string,
  env: NodeJS.ProcessEnv,
  canReach: (path: string) => boolean,
): Promise<Diagnosis> {
  const { path, passedOver } = await findInterpreter(program, cwd, env, canReach);
  if (path === null && passedOver === null)
    return line(program, "note", "not found on PATH; skills that need it cannot run");
  const hidden = `${passedOver} is not accessible to the sandbox user`;
  if (path === null)
    return line(program, "bad", hidden, `install ${program} for all users, below /usr or /opt`);
  const real = realPath(path);
  const version = await readVersion(real, cwd, env);
  const found = version === null ? real : `${real} (${version})`;
  if (passedOver !== null) return line(program, "note", `${found}, because ${hidden}`);
  const first = findProgram(program, env);
  const isShim = first !== null && realPath(first) !== real;
  return line(program, "ok", isShim ? `${found}, resolved from the shim ${first}` : found);
}

async function readVersion(path: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const answer = await askProgram(path, ["--version"], cwd, env);
  return /\d+\.\d+(?:\.\d+)?/.exec(answer ?? "")?.[0] ?? null;
}

function line(name: string, state: Diagnosis["state"], found: string, fix: string | null = null): Diagnosis {
  return { topic: "programs", name, state, found, fix };
}
