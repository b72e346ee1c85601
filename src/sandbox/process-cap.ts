import { readdirSync, realpathSync } from "node:fs";
import { release } from "node:os";
import { readProcessFile } from "./host/process-tree.ts";
import type { Identity } from "./host/slots.ts";
import { isOfSystem } from "./host/system-folders.ts";
import { ownHardLimits } from "./resource-limits.ts";

/** As many processes at once are too many, for one skill process with everything it starts. */
export const processCap = 64;

/** How the kernel is told of the cap: before the sandbox is up, or by words in front of the command inside it. */
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
  // Inside, a skill's own variables act on `prlimit` too and may keep it from its work: far off there is another cap.
  return { before: userThreads() + 16 * processCap, words: [inside, `--nproc=${cap}`, "--"] };
}

/** Since Linux 5.14. */
export function countsByNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function programInside(path: string): string | null {
  const real = realpathSync(path);
  return isOfSystem(real) ? real : null;
}

/** How many threads our own user has on the whole machine: the kernel's cap on processes counts all of them. */
function userThreads(): number {
  const now = performance.now();
  if (counted === null || now - counted.atMs > keptMs) counted = { threads: countThreads(), atMs: now };
  return counted.threads;
}

/** Counting costs with the number of processes on the machine, so it is not done for each start. */
const keptMs = 1000;
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
