import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const chunkSize = 1 << 16;

/** Writes a file so that a reader sees all of it or none: temporary name, sync, rename, sync of the folder. */
export function writeWholeFile(path: string, text: string | Iterable<string>, mode = 0o666): void {
  putInPlace(path, (temporary) => {
    const file = openSync(temporary, "wx", mode);
    try {
      writeChunks(file, typeof text === "string" ? [text] : text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/** Copies a file in the same manner. */
export function copyWholeFile(from: string, to: string): void {
  putInPlace(to, (temporary) => {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL);
    const file = openSync(temporary, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

function putInPlace(path: string, make: (temporary: string) => void): void {
  refuseOther(path);
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    make(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** The rename would put a plain file in the place of a pipe or a device, `/dev/null` for one. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw new Error(found.isDirectory() ? "it is a folder" : "it is not a regular file");
}

function writeChunks(file: number, pieces: Iterable<string>): void {
  let waiting = "";
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < chunkSize) continue;
    writeFully(file, Buffer.from(waiting));
    waiting = "";
  }
  if (waiting !== "") writeFully(file, Buffer.from(waiting));
}

/** A full disk writes part of a buffer and throws nothing; only the return value tells. */
export function writeFully(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    const count = writeSync(file, bytes, written);
    if (count === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    written += count;
  }
}

function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Some file systems cannot sync a folder; the rename itself has happened.
  }
}
