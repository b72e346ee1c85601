import { type BigIntStats, lstatSync, readFileSync } from "node:fs";
import { type Clock, systemClock } from "../async/clock.ts";
import { sha256 } from "../json/canonical-json.ts";

/** What the system says about an entry of a folder: any later edit of it shows here, once it is settled. */
export interface Stamp {
  absolute: string;
  /** Null where nothing is. */
  stats: BigIntStats | null;
  /** Old enough that any later edit must move it. */
  isSettled: boolean;
}

const settledAfterMs = 100;

/** A user can set back the time of modification but not that of the last change of any kind, which is part of a stamp. */
export function makeStamp(absolute: string, stats: BigIntStats | null, clock: Clock): Stamp {
  const settledBeforeNs = BigInt(Math.floor(clock.now()) - settledAfterMs) * 1_000_000n;
  return { absolute, stats, isSettled: stats !== null && stats.ctimeNs < settledBeforeNs };
}

/** Whether an entry is still the same, without reading it. */
export function isAsStamped(stamp: Stamp): boolean {
  return stamp.isSettled && isSameEntry(stamp.stats, lookAt(stamp.absolute));
}

function lookAt(absolute: string): BigIntStats | null {
  try {
    return lstatSync(absolute, { bigint: true });
  } catch {
    return null; // reading the content will show what happened
  }
}

export function isSameEntry(one: BigIntStats | null, other: BigIntStats | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    other.ino === one.ino &&
    other.size === one.size &&
    other.mtimeNs === one.mtimeNs &&
    other.ctimeNs === one.ctimeNs
  );
}

/** A file that must stay what it is. */
export interface FileWatch {
  /** Looks now, and reads the file again only where its stamp moved. Once false, it stays false. */
  isUnchanged(): boolean;
  /** Its stamp: the same before and after means that nobody wrote to it meanwhile. */
  stats(): BigIntStats | null;
}

/** Watches a file by its content from now on. A link counts as what it leads to. */
export function watchFile(path: string, clock: Clock = systemClock): FileWatch {
  let isChanged = false;
  let stamp = makeStamp(path, lookAt(path), clock);
  const initial = hashOf(path);
  return {
    isUnchanged() {
      if (isChanged) return false;
      // What a link leads to can change without the link.
      if (stamp.stats?.isFile() === true && isAsStamped(stamp)) return true;
      stamp = makeStamp(path, lookAt(path), clock);
      isChanged = hashOf(path) !== initial;
      return !isChanged;
    },
    stats: () => lookAt(path),
  };
}

/** Null where nothing can be read. */
function hashOf(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}
