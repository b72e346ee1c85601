import { type Disk, realDisk } from "../src/shared/files/disk.ts";

/** How an operation fails: the device is broken, it is full, or it takes half of what it is given and is full then. */
export type DiskFault = "EIO" | "ENOSPC" | "short write";

export const diskFaults: readonly DiskFault[] = ["EIO", "ENOSPC", "short write"];

/** A disk whose operation `n`, counted from 1, fails. A device that broke or filled up stays so for writes and syncs. */
function failingDisk(n: number, fault: DiskFault): Disk & { wasReached(): boolean } {
  let operation = 0;
  let isBroken = false;

  function step(name: keyof Disk): void {
    operation++;
    if (operation === n) isBroken = true;
    if (operation === n || (isBroken && (name === "write" || name === "syncContent" || name === "sync")))
      throw failure(fault);
  }

  const failing: Disk = {
    open: stepping("open"),
    truncate: stepping("truncate"),
    sync: stepping("sync"),
    copy: stepping("copy"),
    rename: stepping("rename"),
    remove: stepping("remove"),
    close(file) {
      realDisk.close(file); // a descriptor is free also where closing it fails
      step("close");
    },
    syncContent(file, done) {
      try {
        step("syncContent");
      } catch (error) {
        setImmediate(done, error as Error);
        return;
      }
      realDisk.syncContent(file, done);
    },
    write(file, bytes, from) {
      const isShort = fault === "short write" && operation + 1 === n && bytes.length - from > 1;
      if (!isShort) {
        step("write");
        return realDisk.write(file, bytes, from);
      }
      operation++;
      isBroken = true;
      return realDisk.write(file, bytes.subarray(0, from + Math.floor((bytes.length - from) / 2)), from);
    },
  };

  function stepping<Name extends keyof Disk>(name: Name): Disk[Name] {
    const real = realDisk[name] as (...values: unknown[]) => unknown;
    return ((...values: unknown[]) => {
      step(name);
      return real(...values);
    }) as Disk[Name];
  }

  return { ...failing, wasReached: () => operation >= n };
}

function failure(fault: DiskFault): Error {
  const code = fault === "EIO" ? "EIO" : "ENOSPC";
  return Object.assign(new Error(`${code}: injected`), { code });
}

/**
 * SQLite's own way of testing: the first operation fails, then the second, and so on until the work passes untouched.
 * Returns after how many that was.
 */
export async function failEveryOperation(
  fault: DiskFault,
  work: (disk: Disk, n: number) => void | Promise<void>,
): Promise<number> {
  for (let n = 1; ; n++) {
    const disk = failingDisk(n, fault);
    await work(disk, n);
    if (!disk.wasReached()) return n - 1;
  }
}
