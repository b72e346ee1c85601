import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

export interface ResourceLimits {
  /** CPU seconds of one process; null: a backstop that cannot bite before the deadline. */
  cpuSeconds: number | null;
  fileBytes: number;
  openFiles: number;
}

/** Limits that only a process in the sandbox gets. */
export interface SandboxedLimits {
  /** What one process may hold in memory of its own. */
  dataBytes: number;
  /** Processes and threads of the user it runs under. */
  processes: number;
}

/** A limit that does nothing but tag what it is set for. */
interface TagLimit {
  locks: number | null;
}

export const defaultLimits: ResourceLimits = { cpuSeconds: null, fileBytes: 104_857_600, openFiles: 256 };

/** The command under `prlimit`, which sets the limits and becomes the command: same pid, no process more. */
export function limitedCommand(
  prlimit: string,
  limits: ResourceLimits & {
    [Name in keyof (SandboxedLimits & TagLimit)]?: (SandboxedLimits & TagLimit)[Name] | undefined;
  },
  deadlineMs: number | null,
  argv: readonly string[],
  hardLimit = ownHardLimits(),
): [string, ...string[]] {
  const within = (wanted: number, name: string) => Math.min(wanted, hardLimit(name));
  const flags = [
    `--fsize=${within(limits.fileBytes, "file size")}`,
    `--nofile=${within(limits.openFiles, "open files")}`,
    "--core=0",
  ];
  if (limits.locks) flags.push(`--locks=${limits.locks}`);
  if (limits.dataBytes !== undefined) flags.push(`--data=${within(limits.dataBytes, "data size")}`);
  if (limits.processes !== undefined) flags.push(`--nproc=${within(limits.processes, "processes")}`);
  const cpu = cpuSeconds(limits, deadlineMs);
  if (cpu !== null) {
    // Soft one second below hard: the soft limit sends SIGXCPU, which sets it apart from any other kill.
    const hard = within(cpu + 1, "cpu time");
    flags.push(`--cpu=${Math.min(cpu, Math.max(1, hard - 1))}:${hard}`);
  }
  return [prlimit, ...flags, "--", ...argv];
}

/** Our own limits, by the kernel's names. Setting a higher one would be refused, and every start would fail. */
export function ownHardLimits(text = readOwnLimits()): (name: string) => number {
  return (name) => {
    const line = new RegExp(`^Max ${name}\\s+\\S+\\s+(\\d+)`, "m").exec(text);
    return line === null ? Number.POSITIVE_INFINITY : Number(line[1]);
  };
}

let ownLimits: string | null = null;

function readOwnLimits(): string {
  try {
    ownLimits ??= readFileSync("/proc/self/limits", "latin1");
    return ownLimits;
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
