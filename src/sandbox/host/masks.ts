import { lstatSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside } from "../../shared/files/paths.ts";

/** A path of the machine that is mounted, and where. */
export interface Bind {
  source: string;
  at: string;
}

/** A file or folder inside a shown folder that looks empty. */
export interface Mask extends Bind {
  isFolder: boolean;
}

/** Where hidden paths would be visible in the mounts. Uses real paths, so that no link reveals what is masked. */
export function masksFor(binds: readonly Bind[], hidden: readonly string[]): Mask[] {
  const paths = hidden.flatMap((path) => realPath(path) ?? []);
  const masks = binds.flatMap((bind) => {
    const source = realPath(bind.source);
    if (source === null) return [];
    return paths
      .filter((path) => path !== source && isInside(source, path))
      .map((path) => ({ source: path, at: join(bind.at, relative(source, path)), isFolder: isFolder(path) }));
  });
  // Below a masked folder nothing is left to hide, and nothing can be mounted.
  return masks.filter(
    (mask, index) =>
      !masks.some((other, otherIndex) =>
        other.at === mask.at ? otherIndex < index : other.isFolder && isInside(other.at, mask.at),
      ),
  );
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
