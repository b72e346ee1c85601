import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type BubblewrapStatus, openBubblewrapStatus } from "./bubblewrap-status.ts";
import { type Identity, type Slot, takeSlot } from "./host/slots.ts";
import type { TempRoot } from "./host/temp-root.ts";
import { removeFolder } from "./work-folder.ts";

/** The files of one start in the sandbox, and its slot among the running processes. */
export interface StartFiles {
  slot: Slot;
  status: BubblewrapStatus;
  flags: number;
  seccomp: number | null;
  /** Closes what only the child reads. */
  closeRead(): void;
  remove(): Promise<void>;
}

/**
 * Descriptors are read to their end, so each start has its own. Fails whole: nothing of it stays when one piece cannot be.
 * The flags may ask for an empty folder of this start, to mount something on.
 */
export function openStartFiles(
  root: TempRoot,
  name: string,
  flagsFor: (identity: Identity | null, emptyFolder: () => string) => readonly string[],
): StartFiles {
  const path = join(root.path, name);
  let folder: string | null = null;
  const undo: (() => void)[] = [];
  try {
    const slot = takeSlot();
    undo.push(() => slot[Symbol.dispose]());
    undo.push(() => void removeEmpty());
    const status = openBubblewrapStatus(`${path}.status`);
    undo.push(() => status[Symbol.dispose]());
    const flags = openFlags(`${path}.flags`, flagsFor(slot.identity, emptyFolder));
    undo.push(() => closeSync(flags));
    const seccomp = root.seccomp === null ? null : openSync(root.seccomp, "r");
    return {
      ...{ slot, status, flags, seccomp },
      closeRead() {
        closeSync(flags);
        if (seccomp !== null) closeSync(seccomp);
      },
      async remove() {
        status[Symbol.dispose]();
        slot[Symbol.dispose]();
        await removeEmpty();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }

  function emptyFolder(): string {
    folder ??= path;
    mkdirSync(folder, { mode: 0o711 });
    return folder;
  }

  async function removeEmpty(): Promise<void> {
    if (folder !== null) await removeFolder(folder);
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
