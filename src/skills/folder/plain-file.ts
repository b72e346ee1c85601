import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { UserError } from "../../shared/user-error.ts";

/** Whatever took the place of a file since we looked: a link is not followed, a pipe not waited for. */
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

/** Judges what was opened, not what a look at the path said before: a pipe has no end, a folder may have become a link. */
export function refuseSwapped(file: number, absolute: string): void {
  const place = placeOf(file);
  if (fstatSync(file).isFile() && (place === null || place === absolute)) return;
  throw new UserError("path-outside-skill", `${absolute} was replaced while being read`, {
    path: absolute,
    hint: "do not change a skill folder while it is being read",
  });
}

/** Where an open file lies, where the system can tell; an editor may have put a new one in its place meanwhile. */
function placeOf(file: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${file}`).replace(/ \(deleted\)$/, "");
  } catch {
    return null;
  }
}
