import { statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Hindrance } from "../contract/sandbox.ts";
import { isInside, nearPath } from "../shared/files/paths.ts";
import { shellWord } from "../shared/text/command-line.ts";
import { findHiddenPath, type HiddenPath, type Inside } from "./find-hidden.ts";
import type { EvalMaterial } from "./host/eval-material.ts";
import { isPersonal } from "./program-paths.ts";
import type { View } from "./view.ts";

/** What only the launcher knows about a command. */
export interface ShownTo extends Inside {
  /** Paths that no grant shows to skills. */
  neverShown: readonly string[];
  /** What stays hidden in a folder when these paths are granted. */
  evalMaterial(folder: string, granted: readonly string[]): EvalMaterial;
}

/** Why a program failed that the sandbox kept from a path, with the option that would not; null where it did not. */
export function explainPath(words: string, shown: ShownTo): Hindrance | null {
  const { view } = shown;
  const found: HiddenPath | null =
    view.hiddenProgram === null
      ? findHiddenPath(words, shown)
      : { path: view.hiddenProgram, why: "not-shown" };
  return found === null ? null : { why: describe(found, shown), isChosen: false };
}

function describe({ path, why }: HiddenPath, shown: ShownTo): string {
  switch (why) {
    case "read-only":
      return `the sandbox does not let it write to ${path}; it can write below $HOME and $TMPDIR, or anywhere with --sandbox process`;
    case "own-path":
      return `inside the sandbox there is no ${path}: the skill's folder is /skill; use a relative path`;
    case "not-on-path":
      return `the sandbox does not show ${path}; install the program below /usr, or run with --sandbox process`;
    case "not-shown": {
      const grant = grantFor(path, shown);
      const way =
        grant === null ? "run with --sandbox process to show it" : `show it with --grant read:${grant}`;
      return `the sandbox does not show ${path}; ${way}`;
    }
    default:
      return why satisfies never;
  }
}

/**
 * What to grant so that a path is shown, the folder rather than the file; null if no grant would. Nothing is proposed that
 * would show a skill its answers.
 */
function grantFor(path: string, { view, neverShown, evalMaterial }: ShownTo): string | null {
  if (neverShown.some((hidden) => isInside(hidden, path) && !isInside(hidden, view.folder))) return null;
  const granted = possibleGrants(path, view).find((grant) => {
    const isOwn = isInside(view.folder, grant);
    const { paths, isTooLarge } = evalMaterial(isOwn ? view.folder : grant, [grant]);
    return !isTooLarge && !paths.some((hidden) => isInside(hidden, path));
  });
  return granted === undefined ? null : shellWord(nearPath(granted, process.cwd()));
}

function possibleGrants(path: string, view: View): string[] {
  if (isInside(view.folder, path)) {
    const mask = view.masks.find(({ at }) => isInside(at, view.inside(path)));
    return mask?.isFolder ? [join(view.folder, relative(view.at, mask.at))] : [];
  }
  const folder = dirname(path);
  const installation = dirname(folder);
  const isProgram = path === view.hiddenProgram && basename(folder) === "bin";
  const wide = isProgram && !isPersonal(installation) ? installation : folder;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const isPackage = basename(folder) === "node_modules";
  const isTooWide = isPersonal(wide) || madeInside.has(wide) || isInside(wide, view.folder);
  return (isFolder && !isPackage) || isTooWide ? [path] : [wide, path];
}

/** Folders that the sandbox makes itself, and so cannot be granted. */
const madeInside = new Set(["/", "/dev", "/etc", "/proc", "/skill", "/sys", "/tmp", "/work"]);
