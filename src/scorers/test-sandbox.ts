import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Sandbox, SkillCommand, SkillExit, SkillProcess } from "../contract/sandbox.ts";

/** A sandbox without walls, for tests: a process group per command, ended as a whole. Counts what it started. */
export function testSandbox(): Sandbox & { readonly commands: SkillCommand[]; readonly running: number } {
  const commands: SkillCommand[] = [];
  const running = new Set<SkillProcess>();
  return {
    containment: { level: "off", backend: null, network: "open", unproven: [] },
    commands,
    get running() {
      return running.size;
    },
    start(command) {
      commands.push(command);
      const started = startProcess(command);
      running.add(started);
      started.exited.then(
        () => running.delete(started),
        () => {},
      );
      return started;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((process) => process.kill()));
    },
  };
}

function startProcess({ argv: [program, ...args], cwd, env }: SkillCommand): SkillProcess {
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...env }, detached: true });
  const started = once(child, "spawn").then(() => {});
  const exited = new Promise<SkillExit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal, limit: null }));
    child.once("error", () => child.pid === undefined && resolve({ code: null, signal: null, limit: null }));
  });
  async function kill(): Promise<void> {
    child.stdin.destroy();
    endGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
    await exited;
  }
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    started,
    exited,
    waitsForInput: async () => true,
    kill,
    terminate: kill,
  };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty: everything in it ended already.
  }
}
