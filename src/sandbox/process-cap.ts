import { readdirSync, realpathSync } from "node:fs";
import { release } from "node:os";
import { readProcessFile } from "./host/process-tree.ts";
import type { Identity } from "./host/slots.ts";
import { isSystemPath } from "./host/system-folders.ts";
import { ownHardLimits } from "./resource-limits.ts";

/** The number of processes that is too many, for one skill process and its descendants. */
export const processCap = 64;

/** How the cap is set: before the sandbox starts, or by a wrapper of the command inside it. */
interface KernelCap {
  before: number;
  words: readonly string[];
}

/**
 * The kernel counts all processes of a user. One that runs under a user of its own is counted exactly, and so is one
 * in a user namespace of its own where the kernel counts by namespace. Else everything our user runs is counted along,
 * and whatever it starts elsewhere meanwhile takes room from the skill.
 */
export function kernelCap(identity: Identity | null, prlimit: string, living: number): KernelCap {
  if (identity !== null) return { before: processCap, words: [] };
  const inside = countsByNamespace(release()) ? programInside(prlimit) : null;
  if (inside === null) return { before: userThreads() + processCap * (living + 1), words: [] };
  const cap = Math.min(processCap, ownHardLimits()("processes"));
  // Inside, a skill's variables affect `prlimit` too and may break it, so a higher cap is set outside as well.
  return { before: userThreads() + 16 * processCap, words: [inside, `--nproc=${cap}`, "--"] };
}

/** Since Linux 5.14. */
export function countsByNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function programInside(path: string): string | null {
  const real = realpathSync(path);
  return isSystemPath(real) ? real : null;
}

/** How many threads our own user has on the whole machine: the kernel's cap on processes counts all of them. */
function userThreads(): number {
  const now = performance.now();
  if (counted === null || now - counted.atMs > countCacheMs) counted = { threads: countThreads(), atMs: now };
  return counted.threads;
}

/** Counting costs with the number of processes on the machine, so it is not done for each start. */
const countCacheMs = 1000;
let counted: { threads: number; atMs: number } | null = null;

function countThreads(): number {
  const uid = `${process.getuid?.() ?? 0}`;
  let threads = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const status = readProcessFile(`/proc/${pid}/status`) ?? "";
    if (/^Uid:\s+(\d+)/m.exec(status)?.[1] !== uid) continue;
    threads += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1);
  }
  return threads;
}
