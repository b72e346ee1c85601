import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { isAsStamped, makeStamp, type Stamp } from "../../shared/files/file-stamp.ts";
import { UserError } from "../../shared/user-error.ts";
import { digestFolder, type FolderDigest } from "./digest.ts";
import { type WalkOptions, walkFolder } from "./walk-folder.ts";

export interface FolderWatch {
  /** Whether the folder is still unchanged, by an answer at most 10 ms old. Once false, it stays false. */
  isUnchanged(): boolean | Promise<boolean>;
  /** The same by a look that begins now. */
  look(): boolean | Promise<boolean>;
}

const sharedAnswerMs = 10;

/** Watches a skill by content, for a run that must not go on with another one. */
export function watchFolder(
  dir: string,
  options: WalkOptions,
  initial: Pick<FolderDigest, "digest">,
  clock: Clock = systemClock,
): FolderWatch {
  const content = followFolder(dir, options, clock);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<boolean> | null = null;
  let isChanged = false;

  function compare({ digest }: FolderDigest): boolean {
    isChanged ||= digest !== initial.digest;
    return !isChanged;
  }

  function failed(error: unknown): boolean {
    lookedAtMs = Number.NEGATIVE_INFINITY;
    if (!(error instanceof UserError)) throw error; // this machine failed, not the skill
    isChanged = true;
    return false;
  }

  function look(): boolean | Promise<boolean> {
    if (isChanged) return false;
    lookedAtMs = clock.monotonic();
    const found = content.current();
    if (!(found instanceof Promise)) return compare(found);
    const asked = found.then(compare, failed).finally(() => {
      if (looking === asked) looking = null;
    });
    looking = asked;
    return asked;
  }

  return {
    isUnchanged() {
      if (isChanged) return false;
      if (looking !== null) return looking;
      return clock.monotonic() - lookedAtMs < sharedAnswerMs || look();
    },
    look,
  };
}

/** The content of a folder, for repeated reads. */
export interface FolderContent {
  /** What it holds now; at once where nothing had to be read. Fails as digesting it would. */
  current(): FolderDigest | Promise<FolderDigest>;
}

/**
 * Follows a folder by content: the only code that decides whether it changed. Reads its files again only where their stamps
 * differ from the last look, or where a stamp is so young that a further edit may not have moved it.
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

  return { current: () => (known?.stamps.every(isAsStamped) ? known.digest : read()) };
}

function takeStamps(dir: string, options: WalkOptions, clock: Clock): Stamp[] {
  return Array.from(walkFolder(dir, options), ({ absolute, stats }) => makeStamp(absolute, stats, clock));
}
