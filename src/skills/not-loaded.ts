import type { NotLoaded } from "../contract/not-loaded.ts";
import type { UserError } from "../shared/user-error.ts";
import type { ReadFolder } from "./describe-found.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { isFolder } from "./discover/scan-folders.ts";
import { findingLine, mostUrgent } from "./finding-words.ts";

/** Whether a folder was named itself, or one of its files, and not only a folder that it lies in. */
export function isNamed({ dir, root }: FoundFolder): boolean {
  return dir === root || !isFolder(root);
}

/** A skill that cannot be used, and why. */
export function notUsable(path: string, { code, message }: UserError): NotLoaded {
  return { path, code, reason: message };
}

/** A skill that cannot be loaded, as reports list it. */
export function notLoaded({ found, errors }: Pick<ReadFolder, "found" | "errors">): NotLoaded {
  const [first, ...more] = errors;
  if (first === undefined)
    return { path: found.shown, code: "SKD01", reason: found.unreadable ?? "not a skill" };
  const urgent = mostUrgent([first, ...more]);
  return { path: found.shown, code: urgent.code, reason: findingLine(urgent, found.shown) };
}
