import { closeSync, constants, openSync, readFileSync } from "node:fs";

/** Whatever took the place of a file since we looked: a link is not followed, a pipe not waited for. */
export const plainFileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a plain file. */
export function readPlainFile(absolute: string): Buffer {
  const file = openSync(absolute, plainFileFlags);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
