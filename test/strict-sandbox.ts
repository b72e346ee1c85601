import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Sandbox, SkillCommand, SkillExit } from "../src/contract/sandbox.ts";
import { openSandbox, type SandboxOptions } from "../src/sandbox/open-sandbox.ts";
import { seccompProgram } from "../src/sandbox/seccomp-program.ts";
import { findProgram } from "../src/shared/files/find-program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The containment pieces of a machine that has all of them. */
export const bubblewrap: NonNullable<SandboxOptions["bubblewrap"]> = {
  bwrap: findProgram("bwrap", process.env) ?? "bwrap",
  prlimit: findProgram("prlimit", process.env),
  seccomp: seccompProgram(),
  disableUserns: true,
};

/** The strongest sandbox, unproven. */
export function openStrict(options: Partial<SandboxOptions> = {}): Sandbox {
  return openSandbox({ level: "strict", killGraceMs: 300, memoryMb: null, bubblewrap, ...options });
}

/** For a user who looks for programs in this folder first. */
export function offering(folder: string): Pick<SandboxOptions, "env"> {
  return { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } };
}

/** A skill's folder with these files in it. */
export async function skillFolder(
  files: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { path: string }> {
  const folder = await temporaryFolder();
  chmodSync(folder.path, 0o755);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

/** The system's own, which a user without rights can reach. */
export const python = "/usr/bin/python3";

/** What a Python script prints as JSON from inside, and how it ended. */
export async function askInside(
  sandbox: Sandbox,
  script: string,
  command: Partial<SkillCommand> & { cwd: string },
): Promise<unknown> {
  const { out, err, exit } = await runInside(sandbox, { argv: [python, "-c", script], ...command });
  if (exit.code !== 0) throw new Error(`${JSON.stringify(exit)}\n${err}`);
  return JSON.parse(out);
}

/** Runs a command to its end. */
export async function runInside(
  sandbox: Sandbox,
  command: Partial<SkillCommand> & Pick<SkillCommand, "argv" | "cwd">,
): Promise<{ out: string; err: string; exit: SkillExit }> {
  const skill = sandbox.start({ env: {}, deadlineMs: 20_000, ...command });
  skill.stdin.end();
  const [out, err, exit] = await Promise.all([text(skill.stdout), text(skill.stderr), skill.exited]);
  return { out, err, exit };
}
