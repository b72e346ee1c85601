import type { SkillExit } from "../contract/sandbox.ts";
import { type DiskMeter, folderMeter, unnamedBytes } from "./disk-meter.ts";
import { processTree, readProcessFile } from "./host/process-tree.ts";

export interface TreeLimits {
  /** Resident memory of all processes together; null for no cap. */
  memoryBytes: number | null;
  /** The number of processes that is too many; null for no cap. Threads are not counted: runtimes start a dozen by themselves. */
  processes: number | null;
  /** What it may fill, and how far: a folder of the machine, or what this meter measures; null where it has none. */
  disk: string | DiskMeter | null;
  diskBytes: number;
}

type TreeLimit = Exclude<NonNullable<SkillExit["limit"]>, "cpu-limit">;

interface Watch extends Disposable {
  /** The limit that the tree has exceeded, or null. */
  look(): TreeLimit | null;
  onExceeded(limit: TreeLimit): void;
  sinceMs: number;
}

/**
 * Watches a process and all it starts, and reports once when they exceed a limit together: the
 * kernel's own limits count every process by itself.
 */
export function watchTree(
  pid: number,
  limits: TreeLimits,
  onExceeded: (limit: TreeLimit) => void,
): Disposable {
  const { disk } = limits;
  const meter = typeof disk === "string" ? openTreeMeter(pid, disk) : disk;
  const watch: Watch = {
    look: () => passedLimit(pid, limits, meter),
    onExceeded,
    sinceMs: performance.now(),
    [Symbol.dispose]() {
      watches.delete(watch);
      meter?.[Symbol.dispose]();
    },
  };
  watches.add(watch);
  if (!isLooking) lookAfter(lookEveryMs);
  return watch;
}

/** Measures a folder, and occasionally also deleted files that are still open, which is expensive. */
function openTreeMeter(pid: number, folder: string): DiskMeter {
  const meter = folderMeter(folder);
  let checks = 0;
  let unnamed = 0;
  return {
    look() {
      if (checks++ % checksPerUnnamed === 0) unnamed = unnamedBytes(processTree(pid), folder);
      return meter.look() + unnamed;
    },
    [Symbol.dispose]: () => meter[Symbol.dispose](),
  };
}

const checksPerUnnamed = 5;
const lookEveryMs = 100;
/** Most processes answer and are gone before this; looking at them would be the larger part of their cost. */
const youngMs = 50;
/** Looking may take this part of our time, not more, however many processes there are. */
const largestShare = 1 / 20;

// One timer for all: with many lanes, one each would wake us all the time.
const watches = new Set<Watch>();
let isLooking = false;

function lookAfter(pauseMs: number): void {
  isLooking = true;
  setTimeout(lookAtAll, pauseMs).unref();
}

function lookAtAll(): void {
  const began = performance.now();
  for (const watch of watches) {
    if (began - watch.sinceMs < youngMs) continue;
    const limit = watch.look();
    if (limit === null) continue;
    watch[Symbol.dispose]();
    watch.onExceeded(limit);
  }
  isLooking = false;
  if (watches.size > 0) lookAfter(Math.max(lookEveryMs, (performance.now() - began) / largestShare));
}

function passedLimit(
  pid: number,
  { memoryBytes, processes, diskBytes }: TreeLimits,
  meter: DiskMeter | null,
): TreeLimit | null {
  const members = processTree(pid);
  // At the cap, not beyond it: where the kernel holds the same cap, nothing beyond it is ever seen.
  if (processes !== null && members.length >= processes) return "process-limit";
  if (memoryBytes !== null && heldBytes(members, memoryBytes) > memoryBytes) return "memory-limit";
  if (meter !== null && meter.look() > diskBytes) return "disk-limit";
  return null;
}

/** What a child shares with its parent counts for both until it is a question of the limit: to divide it takes longer. */
function heldBytes(members: readonly number[], limit: number): number {
  const resident = members.map((member) => sizeIn(`/proc/${member}/status`, /^VmRSS:\s+(\d+) kB/m) ?? 0);
  const total = sum(resident);
  if (total <= limit) return total;
  const divided = members.map((member) => sizeIn(`/proc/${member}/smaps_rollup`, /^Pss:\s+(\d+) kB/m));
  return sum(divided.map((bytes, index) => bytes ?? resident[index] ?? 0));
}

function sizeIn(file: string, line: RegExp): number | null {
  const found = line.exec(readProcessFile(file) ?? "")?.[1];
  return found === undefined ? null : Number(found) * 1024;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, bytes) => total + bytes, 0);
}
