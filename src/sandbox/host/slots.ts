import { readFileSync } from "node:fs";

/** The user and group a skill process runs under. */
export interface Identity {
  uid: number;
  gid: number;
}

export interface Slot extends Disposable {
  /** Null where the runner is no root and everything runs under its own user. */
  identity: Identity | null;
}

/**
 * Takes the smallest free place among the skill processes that live. For root each place has a user of its own, since
 * the kernel counts processes by user and does not count those of root at all.
 */
export function takeSlot(): Slot {
  if (process.getuid?.() !== 0) return { identity: null, [Symbol.dispose]: () => {} };
  let place = 0;
  while (taken.has(place)) place++;
  taken.add(place);
  return {
    identity: { uid: firstUser() + place, gid: sandboxGroup() },
    [Symbol.dispose]: () => void taken.delete(place),
  };
}

/** The group that all of them share: what they may read and nobody else may is shown to it. */
export function sandboxGroup(): number {
  group ??= firstOf("/proc/self/gid_map");
  return group;
}

// Of the whole process, not of one sandbox: two of them must not share users.
const taken = new Set<number>();
const placesPerRunner = 1024;
let user: number | null = null;
let group: number | null = null;

function firstUser(): number {
  user ??= firstOf("/proc/self/uid_map");
  return user;
}

function firstOf(mapFile: string): number {
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
  const wanted = 1_900_000_000 + (pid % 65_536) * placesPerRunner;
  const ranges = rangesIn(map);
  const holdsWanted = ranges.some(
    ({ first, count }) => first <= wanted && wanted + placesPerRunner <= first + count,
  );
  if (holdsWanted || ranges.length === 0) return wanted;
  const last = Math.max(...ranges.map(({ first, count }) => first + count));
  return Math.max(1, last - 2 * placesPerRunner);
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
