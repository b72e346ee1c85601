import { lstatSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside } from "../../shared/files/paths.ts";
import { namesIn } from "./folders.ts";

/** A part of the machine that is shown, and where. */
export interface Bind {
  source: string;
  at: string;
}

/** A file or folder inside a shown folder that looks empty. */
export interface Mask extends Bind {
  isFolder: boolean;
}

/** Where paths to be hidden would show up in what is bound. By real paths: no link uncovers what lies under a mask. */
export function masksFor(binds: readonly Bind[], hidden: readonly string[]): Mask[] {
  const paths = hidden.flatMap((path) => realPath(path) ?? []);
  const masks = binds.flatMap((bind) => {
    const source = realPath(bind.source);
    if (source === null) return [];
    return paths
      .filter((path) => path !== source && isInside(source, path))
      .map((path) => ({ source: path, at: join(bind.at, relative(source, path)), isFolder: isFolder(path) }));
  });
  // Below an empty folder there is nothing left to hide, nor a place to put anything.
  return masks.filter(
    (mask, index) =>
      !masks.some((other, place) =>
        other.at === mask.at ? place < index : other.isFolder && isInside(other.at, mask.at),
      ),
  );
}

/** The expectations that lie in a skill's folder, which are not for the skill's eyes. */
export function evalMaterial(folder: string): string[] {
  const tests = join(folder, "tests");
  const files = namesIn(tests).filter((name) => name.endsWith(".eval.json"));
  const isCrowded = files.length > maxMasked && isFolder(tests);
  return [
    join(folder, "eval.yaml"),
    join(folder, "evals"),
    ...(isCrowded ? [tests] : files.map((name) => join(tests, name))),
  ];
}

/** Each takes three words, and bubblewrap takes 9000 in all. */
const maxMasked = 500;

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
