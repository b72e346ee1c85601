import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { waitsForInput } from "./waits-for-input.ts";
import { watchMemory } from "./watchdog.ts";

export interface ProcessStart {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
  killGraceMs: number;
  memoryCapBytes: number | null;
  /** Told once when the process is gone, however it ended. */
  onGone: () => void;
  /** Ends what left the process group; used when waiting for the next sweep is not good enough. */
  sweepNow: () => void;
}

const exitWaitMs = 1000;

/** Starts a process in a group of its own and answers for its whole tree. */
export function startSkillProcess(start: ProcessStart): SkillProcess {
  const [program, ...args] = start.argv;
  const child = spawn(program, args, { cwd: start.cwd, env: start.env, stdio: "pipe", detached: true });
  let exceeded: SkillExit["limit"] = null;
  let isGone = false;
  child.stdin.on("error", () => {}); // a skill may leave without reading its input; its exit code tells the rest
  child.stdout.on("error", () => {});
  child.stderr.on("error", () => {});

  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  started.catch(() => {}); // whoever waits for it hears of it; nobody has to

  const exited = new Promise<SkillExit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      if (isGone) return;
      isGone = true;
      memory?.[Symbol.dispose]();
      killGroup(child);
      start.onGone();
      resolve({ code, signal, limit: exceeded ?? cpuLimit(code, signal) });
    };
    child.once("exit", end);
    child.once("error", () => child.pid === undefined && end(null, null));
  });

  const memory =
    start.memoryCapBytes !== null && child.pid !== undefined
      ? watchMemory(child.pid, start.memoryCapBytes, () => {
          exceeded = "memory-limit";
          killGroup(child);
        })
      : null;

  async function kill(): Promise<void> {
    child.stdin.destroy();
    killGroup(child);
    child.stdout.destroy();
    child.stderr.destroy();
    await Promise.race([exited, sleep(exitWaitMs, undefined, { ref: false })]);
    start.sweepNow();
  }

  async function terminate(): Promise<void> {
    signalGroup(child, "SIGTERM");
    await Promise.race([exited, sleep(start.killGraceMs, undefined, { ref: false })]);
    await kill();
  }

  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    started,
    exited,
    waitsForInput: (limitMs) =>
      child.pid === undefined ? Promise.resolve(true) : waitsForInput(child.pid, limitMs, () => isGone),
    kill,
    terminate,
  };
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is empty: everything in it ended already.
  }
}

const xcpuExitCode = 152; // 128 + SIGXCPU, as a wrapper program reports it

function cpuLimit(code: number | null, signal: NodeJS.Signals | null): SkillExit["limit"] {
  return signal === "SIGXCPU" || code === xcpuExitCode ? "cpu-limit" : null;
}
