import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { UserError } from "../../shared/user-error.ts";
import type { FolderDigest } from "./digest.ts";
import { followFolder } from "./folder-content.ts";
import type { WalkOptions } from "./walk-folder.ts";

export interface FolderWatch {
  /** Whether the folder still holds what it held at first. Once it does not, it never does again. */
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
