import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { failedStart } from "./failed-start.ts";
import { processTree } from "./process-tree.ts";
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
  const child = spawnOrError(start);
  return child instanceof Error ? failedStart(child, start.onGone) : watchOver(child, start);
}

function watchOver(child: ChildProcessWithoutNullStreams, start: ProcessStart): SkillProcess {
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
      signalGroup(child, "SIGKILL");
      start.onGone();
      resolve({ code, signal, limit: exceeded ?? limitOf(code, signal) });
    };
    child.once("exit", end);
    child.once("error", () => child.pid === undefined && end(null, null));
  });

  const memory =
    start.memoryCapBytes !== null && child.pid !== undefined
      ? watchMemory(child.pid, start.memoryCapBytes, () => {
          exceeded = "memory-limit";
          killTree(child);
        })
      : null;

  async function kill(): Promise<void> {
    child.stdin.destroy();
    // Once it is gone its number may belong to a stranger; its group was ended when it went.
    if (!isGone) killTree(child);
    child.stdout.destroy();
    child.stderr.destroy();
    await Promise.race([exited, sleep(exitWaitMs, undefined, { ref: false })]);
    start.sweepNow();
  }

  async function terminate(): Promise<void> {
    if (!isGone) signalGroup(child, "SIGTERM");
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

/** Node reports some failed starts by an event, throws others, and leaves out the pipes when descriptors ran out. */
function spawnOrError({
  argv: [program, ...args],
  cwd,
  env,
}: ProcessStart): ChildProcessWithoutNullStreams | Error {
  try {
    const child = spawn(program, args, { cwd, env, stdio: "pipe", detached: true });
    if (child.stdin !== undefined) return child;
    child.on("error", () => {});
    return Object.assign(new Error(`spawn ${program} EMFILE`), { code: "EMFILE" });
  } catch (error) {
    return error as Error;
  }
}

/** The group in one stroke, and whoever left it but still hangs below the first process. */
function killTree(child: ChildProcessWithoutNullStreams): void {
  const members = child.pid === undefined ? [] : processTree(child.pid);
  signalGroup(child, "SIGKILL");
  for (const member of members) signal(member, "SIGKILL");
}

function signalGroup(child: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void {
  if (child.pid !== undefined) signal(-child.pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Everything under this number ended already.
  }
}

/** Ended by the kernel for passing a limit; 128 + the signal's number is how a wrapper program reports it. */
function limitOf(code: number | null, signal: NodeJS.Signals | null): SkillExit["limit"] {
  if (signal === "SIGXCPU" || code === 152) return "cpu-limit";
  if (signal === "SIGXFSZ" || code === 153) return "disk-limit";
  return null;
}
