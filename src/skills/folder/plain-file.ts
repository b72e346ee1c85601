import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { UserError } from "../../shared/user-error.ts";

/** A file may have been replaced since it was checked: a link is not followed, a pipe not waited for. */
export const plainFileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a plain file, named by its real path. */
export function readPlainFile(absolute: string): Buffer {
  const file = openSync(absolute, plainFileFlags);
  try {
    refuseSwapped(file, absolute);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Checks the opened file rather than the path checked before: a pipe has no end, a folder may have become a link. */
export function refuseSwapped(file: number, absolute: string): void {
  const openPath = readOpenPath(file);
  if (fstatSync(file).isFile() && (openPath === null || openPath === absolute)) return;
  throw new UserError("path-outside-skill", `${absolute} was replaced while being read`, {
    path: absolute,
    hint: "do not change a skill folder while it is being read",
  });
}

/** The path of an open file, if the system knows it; an editor may have replaced the file meanwhile. */
function readOpenPath(file: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${file}`).replace(/ \(deleted\)$/, "");
  } catch {
    return null;
  }
}
