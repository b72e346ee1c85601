import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

export interface ResourceLimits {
  /** CPU seconds of one process; null: a backstop that cannot bite before the deadline. */
  cpuSeconds: number | null;
  fileBytes: number;
  openFiles: number;
}

export const defaultLimits: ResourceLimits = { cpuSeconds: null, fileBytes: 104_857_600, openFiles: 256 };

/** The command under `prlimit`, which sets the limits and becomes the command: same pid, no process more. */
export function limitedCommand(
  prlimit: string,
  limits: ResourceLimits,
  deadlineMs: number | null,
  argv: readonly string[],
): [string, ...string[]] {
  const flags = [`--fsize=${limits.fileBytes}`, `--nofile=${limits.openFiles}`, "--core=0"];
  const cpu = cpuSeconds(limits, deadlineMs);
  // Soft one second below hard: the soft limit sends SIGXCPU, which tells it apart from any other kill.
  if (cpu !== null) flags.push(`--cpu=${cpu}:${cpu + 1}`);
  return [prlimit, ...flags, "--", ...argv];
}

/** No limit above what we have been given ourselves: setting one would be refused, and with it every start. */
export function withinOwnLimits(limits: ResourceLimits, ownLimits = readOwnLimits()): ResourceLimits {
  const hard = (name: string) => {
    const line = new RegExp(`^Max ${name}\\s+\\S+\\s+(\\d+)`, "m").exec(ownLimits);
    return line === null ? Number.POSITIVE_INFINITY : Number(line[1]);
  };
  return {
    ...limits,
    fileBytes: Math.min(limits.fileBytes, hard("file size")),
    openFiles: Math.min(limits.openFiles, hard("open files")),
  };
}

function readOwnLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return "";
  }
}

function cpuSeconds(limits: ResourceLimits, deadlineMs: number | null): number | null {
  if (limits.cpuSeconds !== null) return limits.cpuSeconds;
  // CPU time of a process that serves many calls adds up; no bound is right for it.
  if (deadlineMs === null) return null;
  return Math.ceil(deadlineMs / 1000) * availableParallelism() + 1;
}
