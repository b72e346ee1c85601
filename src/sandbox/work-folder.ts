import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lchownSync } from "node:fs";
import { opendir, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pathsBelow } from "./host/folders.ts";
import type { Bind } from "./host/masks.ts";
import { isReachable } from "./host/reach.ts";
import type { Identity } from "./host/slots.ts";

/** Removes a folder whatever a skill made of it. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rmdir(path); // Most skills leave nothing behind.
  } catch {
    await removeFilled(path)
      .catch(() => removeByForce(path))
      .catch(() => {}); // a folder in /tmp that stays is no reason to fail
  }
}

/** Node begins with all files of a folder at once, which takes a gigabyte of our memory for a million of them. */
const maxByNode = 1000;

async function removeFilled(path: string): Promise<void> {
  if (await holdsMore(path, maxByNode)) return removeByForce(path);
  await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
}

async function holdsMore(path: string, most: number): Promise<boolean> {
  let entries = 0;
  for await (const _ of await opendir(path, { recursive: true })) if (++entries > most) return true;
  return false;
}

/** Folders nested deeper than the maximum path length, or closed to their own owner, are beyond `rm` of Node but not of the system. */
async function removeByForce(path: string): Promise<void> {
  const script = 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"';
  const shell = spawn("/bin/sh", ["-c", script, "sh", path], { stdio: "ignore", cwd: "/" });
  await once(shell, "close");
}

/**
 * Hands a workspace over to a process that is about to start, and returns where it is mounted from. For root the process
 * has another user, who may not be able to access it: then it is mounted over an empty folder.
 */
export function showWorkspace(
  workspace: string,
  {
    identity,
    emptyFolder,
    canMount,
  }: { identity: Identity | null; emptyFolder: () => string; canMount: boolean },
): { source: string; mount: Bind | null } {
  // A process can leave a file there that acts as its owner, for whoever can walk to it.
  chmodSync(workspace, 0o700);
  if (identity === null) return { source: workspace, mount: null };
  handOver(workspace, identity);
  if (isReachable(dirname(workspace))) return { source: workspace, mount: null };
  if (!canMount) throw new Error(`the unprivileged sandbox user cannot access ${workspace}`);
  const at = emptyFolder();
  return { source: at, mount: { source: workspace, at } };
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
