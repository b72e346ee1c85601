import { closeSync, fstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { factsAbout, type PathInside } from "./guarded-path.ts";
import { blockedPath, errno, failedPath, type PathFacts, type PathRefusal } from "./path-guard.ts";
import { isInside } from "./paths.ts";

/** Something below a base, open and checked. The caller closes the descriptor. */
export interface OpenedInside {
  ok: true;
  fd: number;
  /** Absolute and with links followed: for programs, never for messages. */
  real: string;
  path: PathFacts;
}

/** The path of an open file, if the system knows it. */
export type FindDescriptorPath = (fd: number) => string | null;

/** Opens what was located, by its real path or by another name of it, and checks what was opened. */
export function openDescriptor(
  target: PathInside,
  {
    at = target.real,
    flags,
    findPath = readDescriptorPath,
  }: { at?: string; flags: number; findPath?: FindDescriptorPath },
): OpenedInside | PathRefusal {
  let fd: number | null = null;
  let isGood = false;
  try {
    fd = openSync(at, flags, 0o666); // close-on-exec, as everything that Node opens
    const where = findPath(fd);
    const refusal = judge(fd, where, target);
    isGood = refusal === null;
    return (
      refusal ?? {
        ok: true,
        fd,
        real: target.real,
        path: factsAbout(target.path.requested, target.base, where ?? target.real),
      }
    );
  } catch (error) {
    return refusedOpening(target.path, errno(error));
  } finally {
    if (fd !== null && !isGood) closeSync(fd);
  }
}

/** What procfs says; null where there is none. */
export function readDescriptorPath(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

/** Judges the descriptor, not the path: since the look at the path, a link, a pipe or another file may have come there. */
function judge(fd: number, where: string | null, target: PathInside): PathRefusal | null {
  const { requested } = target.path;
  const stats = fstatSync(fd, { bigint: true });
  const isRight = target.kind === "file" ? stats.isFile() : stats.isDirectory();
  if (!isRight) return blockedPath(requested, "not_regular", "is not a regular file");
  if (target.kind === "file" && stats.nlink > 1n)
    return blockedPath(requested, "hard_link", "has a second hard link, which may be anywhere");
  const isThere = where === null ? isStillThere(stats, target) : isInside(target.base, where);
  return isThere && stats.nlink > 0n ? null : replaced(requested);
}

function isStillThere({ dev, ino }: { dev: bigint; ino: bigint }, { base, real }: PathInside): boolean {
  const now = realpathSync.native(real);
  const stats = statSync(now, { bigint: true });
  return isInside(base, now) && stats.dev === dev && stats.ino === ino;
}

function refusedOpening({ requested, resolved }: PathFacts, code: string): PathRefusal {
  // It was there a moment ago, and now a link is there or on the way.
  if (code === "ELOOP" || code === "ENOTDIR") return replaced(requested);
  if (code === "ENXIO") return blockedPath(requested, "not_regular", "is not a regular file");
  return failedPath(requested, code, resolved);
}

function replaced(requested: string): PathRefusal {
  return blockedPath(requested, "replaced", "was replaced while it was being opened");
}
