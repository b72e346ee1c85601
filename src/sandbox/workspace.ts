import { chmodSync, lchownSync } from "node:fs";
import { dirname } from "node:path";
import { isReachable } from "./host/is-reachable.ts";
import type { Bind } from "./host/masks.ts";
import type { Identity } from "./host/slots.ts";
import { pathsBelow } from "./paths-below.ts";

/**
 * Makes a workspace the own of a process that is about to start, and says where it is bound from. For root the process has
 * another user, who may have no way to it: then it is mounted over the work folder.
 */
export function showWorkspace(
  workspace: string,
  { identity, workFolder, canMount }: { identity: Identity | null; workFolder: string; canMount: boolean },
): { source: string; mount: Bind | null } {
  // A process can leave a file there that acts as its owner, for whoever can walk to it.
  chmodSync(workspace, 0o700);
  if (identity === null) return { source: workspace, mount: null };
  handOver(workspace, identity);
  if (isReachable(dirname(workspace))) return { source: workspace, mount: null };
  if (!canMount) throw new Error(`the unprivileged sandbox user cannot access ${workspace}`);
  return { source: workFolder, mount: { source: workspace, at: workFolder } };
}

/** At every start: each may have another user, and since the last one we may have written there ourselves. */
function handOver(workspace: string, { uid, gid }: Identity): void {
  lchownSync(workspace, uid, gid);
  for (const path of pathsBelow(workspace)) {
    try {
      lchownSync(path, uid, gid);
    } catch {
      // Too long to be named: it stays with whoever made it.
    }
  }
}
