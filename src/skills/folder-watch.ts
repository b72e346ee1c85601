import { type BigIntStats, lstatSync } from "node:fs";
import { type Clock, systemClock } from "../base/clock.ts";
import { UserError } from "../contract/user-error.ts";
import { digestFolder, type FolderDigest } from "./digest.ts";
import { type WalkOptions, walkFolder } from "./walk-folder.ts";

export interface FolderWatch {
  /** Whether the folder still holds what it held at first. Once it does not, it never does again. */
  isUnchanged(): boolean | Promise<boolean>;
}

const sharedAnswerMs = 10;
const settledAfterMs = 100;

/**
 * Watches a skill by content. Reads its files again only where their stamps differ from the last look, or where
 * a stamp is so young that a further edit may not have moved it.
 */
export function watchFolder(
  dir: string,
  options: WalkOptions,
  initial: FolderDigest,
  clock: Clock = systemClock,
): FolderWatch {
  let stamps: readonly Stamp[] | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<boolean> | null = null;
  let isChanged = false;

  async function lookAtContent(): Promise<boolean> {
    stamps = null;
    try {
      const taken = takeStamps(dir, options, clock); // before reading, so that an edit meanwhile shows at the next look
      const { digest } = await digestFolder(dir, options);
      stamps = taken;
      isChanged = digest !== initial.digest;
    } catch (error) {
      lookedAtMs = Number.NEGATIVE_INFINITY;
      if (!(error instanceof UserError)) throw error; // this machine failed, not the skill
      isChanged = true;
    }
    return !isChanged;
  }

  return {
    isUnchanged() {
      if (isChanged) return false;
      if (looking !== null) return looking;
      if (clock.monotonic() - lookedAtMs < sharedAnswerMs) return true;
      lookedAtMs = clock.monotonic();
      if (stamps?.every(isAsBefore)) return true;
      looking = lookAtContent().finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}

interface Stamp {
  absolute: string;
  stats: BigIntStats;
  /** Old enough that any later edit must move it. */
  isSettled: boolean;
}

function takeStamps(dir: string, options: WalkOptions, clock: Clock): Stamp[] {
  const settledBeforeNs = BigInt(Math.floor(clock.now()) - settledAfterMs) * 1_000_000n;
  return Array.from(walkFolder(dir, options), ({ absolute, stats }) => ({
    absolute,
    stats,
    isSettled: stats.ctimeNs < settledBeforeNs,
  }));
}

function isAsBefore({ absolute, stats, isSettled }: Stamp): boolean {
  if (!isSettled) return false;
  const now = lookAt(absolute);
  return (
    now !== null &&
    now.ino === stats.ino &&
    now.size === stats.size &&
    now.mtimeNs === stats.mtimeNs &&
    now.ctimeNs === stats.ctimeNs
  );
}

function lookAt(absolute: string): BigIntStats | null {
  try {
    return lstatSync(absolute, { bigint: true });
  } catch {
    return null; // reading the content will tell what happened
  }
}
