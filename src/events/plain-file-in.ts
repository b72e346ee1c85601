import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/** The bytes of a plain file below this folder; null where it is missing, too long, a link, behind a link, or anything else. */
export function plainFileIn(dir: string, ref: string, longest: number): Uint8Array | null {
  const parts = ref.split("/");
  if (ref.includes("\0") || parts.some((part) => part === "" || part === "." || part === "..")) return null;
  if (sep === "\\" && /[\\:]/.test(ref)) return null;
  try {
    const path = join(realpathSync.native(dir), ...parts);
    // A link on the way would make it another path.
    if (realpathSync.native(path) !== path) return null;
    return readPlain(path, longest);
  } catch {
    return null;
  }
}

/** Never waits: whoever opens a pipe waits for somebody to write. */
function readPlain(path: string, longest: number): Uint8Array | null {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= longest ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}
