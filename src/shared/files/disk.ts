import {
  closeSync,
  constants,
  copyFileSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";

/** The file operations by which everything that has to last is written; a test puts failing ones here. */
export interface Disk {
  open(path: string, flags: string, mode?: number): number;
  /** Returns how many bytes went in: a disk that gets full takes part of them and throws nothing. */
  write(file: number, bytes: Uint8Array, from: number): number;
  truncate(file: number, length: number): void;
  sync(file: number): void;
  /** Syncs what a file holds, beside other work. */
  syncContent(file: number, done: (error: Error | null) => void): void;
  copy(from: string, to: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  close(file: number): void;
}

export const realDisk: Disk = {
  open: openSync,
  write: (file, bytes, from) => writeSync(file, bytes, from),
  truncate: ftruncateSync,
  sync: fsyncSync,
  syncContent: fdatasync,
  copy: (from, to) => copyFileSync(from, to, constants.COPYFILE_EXCL),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  close: closeSync,
};

/** Writes all of it, or throws: a full disk shows only in the returned count. */
export function writeFully(file: number, bytes: Uint8Array, disk: Disk = realDisk): void {
  let written = 0;
  while (written < bytes.length) {
    const count = disk.write(file, bytes, written);
    if (count === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    written += count;
  }
}

/** Closes a file of which all that counts was synced or has failed already: nothing is lost where the closing fails. */
export function closeSynced(file: number, disk: Disk): void {
  try {
    disk.close(file);
  } catch {
    // an error here would only hide the one that matters
  }
}
