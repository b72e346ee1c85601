import { readFileSync } from "node:fs";

/** The user and group a skill process runs under. */
export interface Identity {
  uid: number;
  gid: number;
}

export interface Slot extends Disposable {
  /** Null if the runner is not root and everything runs under its own user. */
  identity: Identity | null;
}

/**
 * Takes a free slot among the running skill processes. For root each slot has a user of its own, since the kernel counts
 * processes by user and does not count those of root at all. The slots take turns: the first process of a sandbox counts
 * until process 1 of the machine has collected it, which in a container may take seconds, or never happen.
 */
export function takeSlot(): Slot {
  if (process.getuid?.() !== 0) return { identity: null, [Symbol.dispose]: () => {} };
  let slot = nextSlot;
  // With more processes at a time than take turns, the rest is filled from the smallest on.
  for (let looked = 0; taken.has(slot); slot = ++looked < turns ? (slot + 1) % turns : looked);
  nextSlot = (slot + 1) % turns;
  taken.add(slot);
  return {
    identity: { uid: firstUser() + slot, gid: sandboxGroup() },
    [Symbol.dispose]: () => void taken.delete(slot),
  };
}

/** The group that all of them share; files for them alone are readable by it. */
export function sandboxGroup(): number {
  group ??= firstMappedId("/proc/self/gid_map");
  return group;
}

// Per process, not per sandbox: two sandboxes must not share users.
const taken = new Set<number>();
const turns = 256;
let nextSlot = 0;
const slotsPerRunner = 1024;
let user: number | null = null;
let group: number | null = null;

function firstUser(): number {
  user ??= firstMappedId("/proc/self/uid_map");
  return user;
}

function firstMappedId(mapFile: string): number {
  try {
    return firstFree(readFileSync(mapFile, "latin1"), process.pid);
  } catch {
    return firstFree("", process.pid);
  }
}

/**
 * From a range that no distribution hands out, another part of it for each runner; where a container has no such
 * numbers, from the end of those it has.
 */
export function firstFree(map: string, pid: number): number {
  const wanted = 1_900_000_000 + (pid % 65_536) * slotsPerRunner;
  const ranges = rangesIn(map);
  const holdsWanted = ranges.some(
    ({ first, count }) => first <= wanted && wanted + slotsPerRunner <= first + count,
  );
  if (holdsWanted || ranges.length === 0) return wanted;
  const last = Math.max(...ranges.map(({ first, count }) => first + count));
  return Math.max(1, last - 2 * slotsPerRunner);
}

function rangesIn(map: string): { first: number; count: number }[] {
  return map
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return { first, count };
    });
}
