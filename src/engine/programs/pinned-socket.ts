import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** A unix socket that stays the same, whatever is put in its place. */
export interface PinnedSocket {
  /** Leads to it while it is pinned. */
  path: string;
  unpin(): void;
}

/**
 * Pins the socket at a path; null where there is none, a link included. Whoever may write to its folder could put a link
 * there that leads to any socket of the machine, and what we send would go to that.
 */
export function pinSocket(path: string): PinnedSocket | null {
  let file: number;
  try {
    file = openSync(path, pathOnly | constants.O_NOFOLLOW);
  } catch {
    return null; // nobody has made it yet
  }
  if (fstatSync(file).isSocket()) return { path: `/proc/self/fd/${file}`, unpin: () => closeSync(file) };
  closeSync(file);
  return null;
}

/** Linux's `O_PATH`, which Node does not name: a name for a file, without opening it. Only there is a network closed. */
const pathOnly = 0o10000000;
