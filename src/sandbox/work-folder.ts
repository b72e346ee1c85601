import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync } from "node:fs";
import { opendir, rm, rmdir } from "node:fs/promises";
import type { Identity } from "./host/slots.ts";

/** The one folder a skill process may fill, its own and empty at the start. */
export function makeWorkFolder(path: string, identity: Identity | null): void {
  mkdirSync(path, { mode: 0o700 });
  if (identity !== null) chownSync(path, identity.uid, identity.gid);
}

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

/** Folders nested deeper than a path can say, or closed to their own owner, are beyond `rm` of Node but not of the system. */
async function removeByForce(path: string): Promise<void> {
  const script = 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"';
  const shell = spawn("/bin/sh", ["-c", script, "sh", path], { stdio: "ignore", cwd: "/" });
  await once(shell, "close");
}
