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
  if (memoryBytes !== null && residentBytes(members) > memoryBytes) return "memory-limit";
  if (meter !== null && meter.look() > diskBytes) return "disk-limit";
  return null;
}

function residentBytes(members: readonly number[]): number {
  let total = 0;
  for (const member of members) {
    const status = readProcessFile(`/proc/${member}/status`) ?? "";
    total += Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return total;
}
