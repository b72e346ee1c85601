import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../shared/files/make-folder.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { unwritable } from "../../shared/user-error.ts";
import type { CommandIo } from "./command-io.ts";

/** Writes what was made to the file the user named, whole or not at all. */
export function writeOutput(
  file: string,
  pieces: Iterable<string>,
  { cwd }: CommandIo,
  flag: "--output" | "--output-dir" = "--output",
): void {
  const path = resolve(cwd, file);
  try {
    makeFolder(dirname(path));
    writeWholeFile(behindLinks(path), pieces);
  } catch (error) {
    throw unwritable(
      file,
      error,
      `choose a writable ${flag === "--output" ? "file" : "folder"} with ${flag}`,
    );
  }
}

/** A link the user named is meant as what it leads to, `/dev/stdout` for one; an open pipe has no name to lead to. */
function behindLinks(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : path;
  } catch {
    return path;
  }
}
