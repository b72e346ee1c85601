import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { type BubblewrapStatus, findProgramPid, waitForNamespaceEnd } from "./bubblewrap-status.ts";
import { processTree, sendSignal } from "./host/process-tree.ts";
import { withoutInherited } from "./inherited-descriptors.ts";
import type { Launch } from "./launch.ts";
import { describeRefusal, failedStart, isCommandFault, plainExit, sandboxedExit } from "./skill-exit.ts";
import { waitsForInput } from "./waits-for-input.ts";
import { type TreeLimits, watchTree } from "./watchdog.ts";

export interface ProcessStart {
  launch: Launch;
  killGraceMs: number;
  /** The limits of all processes together; null for no watchdog. */
  treeLimits: Omit<TreeLimits, "disk"> | null;
  hasCaps: boolean;
  /** Called once when the process ended, however it did. */
  onExit: (pid: number | null) => void;
  /** Called once when everything is cleaned up. */
  onGone: () => void;
  /** Ends what left the process group; used when waiting for the next sweep is not good enough. */
  sweepNow: () => void;
}

const exitWaitMs = 1000;
const noWay = "the proxy for --allow-network could not be started inside the sandbox";

/** Starts a process in a group of its own and manages its whole tree. */
export function startSkillProcess(start: ProcessStart): SkillProcess {
  const { launch } = start;
  const child = spawnOrError(launch);
  launch.afterSpawn();
  if (!(child instanceof Error)) return watchOver(child, start);
  const refusal = launch.status === null || isCommandFault(child) ? undefined : describeRefusal(child);
  return failedStart(
    child,
    () => {
      start.onExit(null);
      launch.way?.[Symbol.dispose]();
      void launch.cleanUp().finally(start.onGone);
    },
    refusal,
  );
}

function watchOver(child: ChildProcessWithoutNullStreams, start: ProcessStart): SkillProcess {
  const { launch } = start;
  const { status } = launch;
  let exceeded: SkillExit["limit"] = null;
  let isGone = false;
  let isOurDoing = false;
  let failure: Error | null = null;
  child.stdin.on("error", () => {}); // a skill may leave without reading its input; its exit code is enough
  child.stdout.on("error", () => {});
  child.stderr.on("error", () => {});

  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  started.catch(() => {}); // callers may ignore it

  const exited = new Promise<SkillExit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      if (isGone) return;
      isGone = true;
      watch?.[Symbol.dispose]();
      signalGroup(child, "SIGKILL");
      start.onExit(child.pid ?? null);
      const exit =
        status === null
          ? plainExit(code, signal)
          : sandboxedExit(code, signal, { status, isOurDoing, failure });
      const hasBegun = isOurDoing || (launch.way?.proxy.isReady() ?? true);
      const refusal = exit.refusal ?? (hasBegun ? undefined : noWay);
      resolve({
        ...exit,
        limit: exceeded ?? exit.limit,
        ...(refusal !== undefined && { refusal }),
      });
    };
    child.once("exit", end);
    child.once("error", (error) => {
      failure = error;
      if (child.pid === undefined) end(null, null);
    });
  });

  const gone = exited
    .then(() => (status === null ? undefined : waitForNamespaceEnd(status)))
    .then(launch.cleanUp)
    .finally(() => launch.way?.[Symbol.dispose]())
    .finally(start.onGone);

  const watch =
    start.treeLimits !== null && child.pid !== undefined
      ? watchTree(child.pid, { ...start.treeLimits, disk: launch.disk }, (limit) => {
          exceeded = limit;
          killAll();
        })
      : null;

  function killAll(): void {
    isOurDoing = true;
    killTree(child, status);
  }

  async function kill(): Promise<void> {
    child.stdin.destroy();
    // Once it is gone its number may belong to a stranger; its group was ended when it went.
    if (!isGone) killAll();
    child.stdout.destroy();
    child.stderr.destroy();
    await Promise.race([gone, sleep(exitWaitMs, undefined, { ref: false })]);
    start.sweepNow();
  }

  async function terminate(): Promise<void> {
    if (!isGone && askToEnd(child, status)) {
      isOurDoing = true;
      await Promise.race([exited, sleep(start.killGraceMs, undefined, { ref: false })]);
    }
    await kill();
  }

  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    started,
    exited,
    hasCaps: start.hasCaps,
    ...(launch.way !== null && { takeNetworkAttempts: launch.way.proxy.takeAttempts }),
    waitsForInput: (limitMs) =>
      child.pid === undefined
        ? Promise.resolve(true)
        : waitsForInput(
            () => (status === null ? (child.pid ?? null) : findProgramPid(status)),
            limitMs,
            () => isGone,
          ),
    kill,
    terminate,
  };
}

/** Node reports some failed starts by an event, throws others, and leaves out the pipes when descriptors ran out. */
function spawnOrError({
  argv: [program, ...args],
  cwd,
  env,
  streams,
  isOff,
  identity,
}: Launch): ChildProcessWithoutNullStreams | Error {
  try {
    const child = spawn(program, args, {
      ...{ cwd, env, detached: true, ...identity },
      stdio: isOff ? [...streams] : withoutInherited(streams),
    }) as ChildProcessWithoutNullStreams;
    if (child.stdin !== undefined) return child;
    child.on("error", () => {});
    return Object.assign(new Error(`spawn ${program} EMFILE`), { code: "EMFILE" });
  } catch (error) {
    return error as Error;
  }
}

/** The group in one stroke, and whoever left it but still hangs below the first process. */
function killTree(child: ChildProcessWithoutNullStreams, status: BubblewrapStatus | null): void {
  // A namespace ends with its first process, and that one with bubblewrap: there is no tree to be walked.
  const first = status?.firstProcess() ?? null;
  const members = child.pid === undefined || status !== null ? [] : processTree(child.pid);
  signalGroup(child, "SIGKILL");
  for (const member of first === null ? members : [first]) sendSignal(member, "SIGKILL");
}

/**
 * Whether there was a process to signal. Bubblewrap itself would end everything at once; its first process ignores the
 * signal, and leads the group of the skill.
 */
function askToEnd(child: ChildProcessWithoutNullStreams, status: BubblewrapStatus | null): boolean {
  const leader = status === null ? child.pid : status.firstProcess();
  if (!leader || (status !== null && findProgramPid(status) === null)) return false;
  sendSignal(-leader, "SIGTERM");
  return true;
}

function signalGroup(child: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void {
  if (child.pid !== undefined) sendSignal(-child.pid, name);
}
