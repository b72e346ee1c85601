import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../src/contract/sandbox.ts";
import { findInterpreter } from "../src/shared/files/find-interpreter.ts";

/** The folder of the tiny programs that each do one bad thing well. */
export const programs: string = fileURLToPath(new URL("./fixtures/programs", import.meta.url));

/** How to start one of them, without a version manager in between. */
export function programCommand(name: string, ...args: string[]): Promise<[string, ...string[]]> {
  return commandIn({}, name, args);
}

/** How to start one of them in this sandbox, which may not reach every interpreter. */
export async function commandIn(
  { canReach }: Pick<Sandbox, "canReach">,
  name: string,
  args: readonly string[],
): Promise<[string, ...string[]]> {
  return [await pickInterpreter(name, canReach), `${programs}/${name}`, ...args];
}

async function pickInterpreter(name: string, canReach: Sandbox["canReach"]): Promise<string> {
  switch (extname(name)) {
    case ".py":
      return (await findInterpreter("python3", programs, process.env, canReach)).path ?? "python3";
    case ".mjs":
      return process.execPath;
    default:
      return "/bin/sh";
  }
}

/** Whether there is such a process that is not merely waiting to be collected by its parent. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

/** Settles when it holds; fails when it still does not after this long. */
export async function eventually(isSo: () => boolean, what: string, limitMs = 10_000): Promise<void> {
  for (const until = performance.now() + limitMs; !isSo(); await sleep(10)) {
    if (performance.now() > until) throw new Error(`not within ${limitMs} ms: ${what}`);
  }
}

/** The pid that a program wrote into a file, once it has. */
export async function pidFrom(path: string): Promise<number> {
  let pid = 0;
  await eventually(() => {
    try {
      pid = Number(readFileSync(path, "latin1"));
    } catch {
      return false;
    }
    return pid > 0;
  }, `a pid in ${path}`);
  return pid;
}
