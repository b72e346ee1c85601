import { type BigIntStats, lstatSync } from "node:fs";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { UserError } from "../../shared/user-error.ts";
import { digestFolder, type FolderDigest } from "./digest.ts";
import { type WalkOptions, walkFolder } from "./walk-folder.ts";

export interface FolderWatch {
  /** Whether the folder is still unchanged. Once false, it stays false. */
  isUnchanged(): boolean | Promise<boolean>;
}

const sharedAnswerMs = 10;

/** Watches a skill by content, for a run that must not go on with another one. */
export function watchFolder(
  dir: string,
  options: WalkOptions,
  initial: FolderDigest,
  clock: Clock = systemClock,
): FolderWatch {
  const content = followFolder(dir, options, clock);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<boolean> | null = null;
  let isChanged = false;

  function compare({ digest }: FolderDigest): boolean {
    isChanged = digest !== initial.digest;
    return !isChanged;
  }

  function failed(error: unknown): boolean {
    lookedAtMs = Number.NEGATIVE_INFINITY;
    if (!(error instanceof UserError)) throw error; // this machine failed, not the skill
    isChanged = true;
    return false;
  }

  return {
    isUnchanged() {
      if (isChanged) return false;
      if (looking !== null) return looking;
      if (clock.monotonic() - lookedAtMs < sharedAnswerMs) return true;
      lookedAtMs = clock.monotonic();
      const found = content.current();
      if (!(found instanceof Promise)) return compare(found);
      looking = found.then(compare, failed).finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}

/** The content of a folder, for repeated reads. */
export interface FolderContent {
  /** What it holds now; at once where nothing had to be read. Fails as digesting it would. */
  current(): FolderDigest | Promise<FolderDigest>;
}

const settledAfterMs = 100;

/**
 * Follows a folder by content: the only code that decides whether it changed. Reads its files again only where their stamps
 * differ from the last look, or where a stamp is so young that a further edit may not have moved it. A user can set back
 * the time of modification but not that of the last change of any kind, which is part of a stamp.
 */
export function followFolder(dir: string, options: WalkOptions, clock: Clock = systemClock): FolderContent {
  let known: { digest: FolderDigest; stamps: readonly Stamp[] } | null = null;

  async function read(): Promise<FolderDigest> {
    known = null;
    const stamps = takeStamps(dir, options, clock); // before reading, so that an edit meanwhile shows at the next look
    const digest = await digestFolder(dir, options);
    known = { digest, stamps };
    return digest;
  }

  return { current: () => (known?.stamps.every(isAsBefore) ? known.digest : read()) };
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
    return null; // reading the content will show what happened
  }
}
