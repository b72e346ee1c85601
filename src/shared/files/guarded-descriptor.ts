import { closeSync, fstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { factsAbout, type PathInside } from "./guarded-path.ts";
import { blockedPath, errno, failedPath, type PathFacts, type PathRefusal } from "./path-guard.ts";
import { isInside } from "./paths.ts";

/** Something below a base, open and judged. Whoever asked for it closes the descriptor. */
export interface OpenedInside {
  ok: true;
  fd: number;
  /** Absolute and with links followed: for programs, never for messages. */
  real: string;
  path: PathFacts;
}

/** Where an open file lies, where the system can tell. */
export type DescriptorPlace = (fd: number) => string | null;

/** Opens what was located, by its real path or by another name of the same place, and judges what has come of it. */
export function openDescriptor(
  place: PathInside,
  {
    at = place.real,
    flags,
    placeOf = descriptorPlace,
  }: { at?: string; flags: number; placeOf?: DescriptorPlace },
): OpenedInside | PathRefusal {
  let fd: number | null = null;
  let isGood = false;
  try {
    fd = openSync(at, flags, 0o666); // close-on-exec, as everything that Node opens
    const where = placeOf(fd);
    const refusal = judge(fd, where, place);
    isGood = refusal === null;
    return (
      refusal ?? {
        ok: true,
        fd,
        real: place.real,
        path: factsAbout(place.path.requested, place.base, where ?? place.real),
      }
    );
  } catch (error) {
    return refusedOpening(place.path, errno(error));
  } finally {
    if (fd !== null && !isGood) closeSync(fd);
  }
}

/** What procfs says; null where there is none. */
export function descriptorPlace(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

/** Judges the descriptor, not the path: since the look at the path, a link, a pipe or another file may have come there. */
function judge(fd: number, where: string | null, place: PathInside): PathRefusal | null {
  const { requested } = place.path;
  const stats = fstatSync(fd, { bigint: true });
  const isRight = place.kind === "file" ? stats.isFile() : stats.isDirectory();
  if (!isRight) return blockedPath(requested, "not_regular", "is not a regular file");
  if (place.kind === "file" && stats.nlink > 1n)
    return blockedPath(requested, "hard_link", "has a second hard link, which may be anywhere");
  const isThere = where === null ? isStillThere(stats, place) : isInside(place.base, where);
  return isThere && stats.nlink > 0n ? null : replaced(requested);
}

function isStillThere({ dev, ino }: { dev: bigint; ino: bigint }, { base, real }: PathInside): boolean {
  const now = realpathSync.native(real);
  const stats = statSync(now, { bigint: true });
  return isInside(base, now) && stats.dev === dev && stats.ino === ino;
}

function refusedOpening({ requested, resolved }: PathFacts, code: string): PathRefusal {
  // It was there a moment ago, and now a link stands there or on the way.
  if (code === "ELOOP" || code === "ENOTDIR") return replaced(requested);
  if (code === "ENXIO") return blockedPath(requested, "not_regular", "is not a regular file");
  return failedPath(requested, code, resolved);
}

function replaced(requested: string): PathRefusal {
  return blockedPath(requested, "replaced", "was replaced while it was being opened");
}
