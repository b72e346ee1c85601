import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type BubblewrapStatus, openBubblewrapStatus } from "./bubblewrap-status.ts";
import { type Identity, type Slot, takeSlot } from "./host/slots.ts";
import type { TempRoot } from "./host/temp-root.ts";
import { makeWorkFolder, removeFolder } from "./work-folder.ts";

/** The files of one start in the sandbox, and its slot among the running processes. */
export interface StartFiles {
  slot: Slot;
  workFolder: string;
  status: BubblewrapStatus;
  flags: number;
  seccomp: number | null;
  /** Closes what only the child reads. */
  closeRead(): void;
  remove(): Promise<void>;
}

/** Descriptors are read to their end, so each start has its own. Fails whole: nothing of it stays when one piece cannot be. */
export function openStartFiles(
  root: TempRoot,
  name: string,
  flagsFor: (workFolder: string, identity: Identity | null) => readonly string[],
): StartFiles {
  const workFolder = join(root.path, name);
  const undo: (() => void)[] = [];
  try {
    const slot = takeSlot();
    undo.push(() => slot[Symbol.dispose]());
    makeWorkFolder(workFolder, slot.identity);
    undo.push(() => void removeFolder(workFolder));
    const status = openBubblewrapStatus(`${workFolder}.status`);
    undo.push(() => status[Symbol.dispose]());
    const flags = openFlags(`${workFolder}.flags`, flagsFor(workFolder, slot.identity));
    undo.push(() => closeSync(flags));
    const seccomp = root.seccomp === null ? null : openSync(root.seccomp, "r");
    return {
      ...{ slot, workFolder, status, flags, seccomp },
      closeRead() {
        closeSync(flags);
        if (seccomp !== null) closeSync(seccomp);
      },
      async remove() {
        status[Symbol.dispose]();
        slot[Symbol.dispose]();
        await removeFolder(workFolder);
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

/** In a file without a name: on a command line everybody on the machine could read them. */
function openFlags(path: string, flags: readonly string[]): number {
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  const text = Buffer.from(flags.map((flag) => `${flag}\0`).join(""));
  // At a position, which leaves the descriptor at its beginning, where the child reads on.
  for (let written = 0; written < text.length; ) {
    written += writeSync(descriptor, text, written, text.length - written, written);
  }
  return descriptor;
}
