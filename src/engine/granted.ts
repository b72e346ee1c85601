import { existsSync } from "node:fs";
import {
  type Ask,
  askText,
  isAskedFor,
  noPermissions,
  type Permissions,
  showToSkills,
} from "../contract/grant.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import { UserError } from "../shared/user-error.ts";
import type { ContainmentOptions } from "./request.ts";

/** What the user of a run allows files to have. */
export interface GrantContext {
  /** Nothing is granted where it is left out. */
  permissions?: Permissions | undefined;
  /** Leave out what asks for more, instead of refusing the run. */
  skipUngranted?: boolean | undefined;
}

export interface Granted<Item> {
  kept: Item[];
  /** What they ask for, which must still be required. */
  asks: Ask[];
  /** What was left out, and why. */
  left: { item: Item; reason: string }[];
}

/** Leaves out what asks for more than was granted, where the user wants that; else keeps everything. */
export function leaveUngranted<Item>(
  items: readonly Item[],
  asksOf: (item: Item) => readonly Ask[],
  { permissions = noPermissions, skipUngranted = false }: GrantContext,
): Granted<Item> {
  const kept: Item[] = [];
  const left: Granted<Item>["left"] = [];
  for (const item of items) {
    const missing = skipUngranted ? permissions.missing(asksOf(item)) : [];
    if (missing.length === 0) kept.push(item);
    else left.push({ item, reason: `not granted: ${[...new Set(missing.map(askText))].join(", ")}` });
  }
  const [first] = left;
  if (kept.length === 0 && first !== undefined)
    throw new UserError("nothing-to-do", `everything was left out: ${first.reason}`, {
      hint: "run again without --skip-ungranted to see how to grant it",
    });
  return { kept, asks: kept.flatMap(asksOf), left };
}

/** Refuses the run where something of it asks for more than was granted: one error for everything. Called before anything runs. */
export function requireGranted(asks: readonly Ask[], { permissions = noPermissions }: GrantContext): void {
  permissions.require(asks);
}

/** Those that ask for nothing more than was granted. The run is refused where others are among them, unless they are to be left out. */
export function onlyGranted<Item>(
  items: readonly Item[],
  asksOf: (item: Item) => readonly Ask[],
  context: GrantContext,
): Granted<Item> {
  const granted = leaveUngranted(items, asksOf, context);
  requireGranted(granted.asks, context);
  return granted;
}

/** Folders that the sandbox makes itself. */
const madeInside = ["/", "/dev", "/etc", "/proc", "/skill", "/sys", "/tmp", "/work"];

/**
 * What the user grants every skill to read, where a sandbox would hide it. What answers a file that asked is for that
 * alone: a scorer that a benchmark names is read by us, and no skill sees it.
 */
export function shownPaths({ permissions = noPermissions }: GrantContext): string[] {
  const asked = permissions.granted().filter(isAskedFor);
  const isAnswer = (path: string) => asked.some(({ value }) => isInside(path, value));
  const readable = permissions.readable().filter(({ path }) => !isAnswer(path));
  const missing = readable.find(({ path, by }) => by === "flag" && !existsSync(path));
  // One of the user's own file may be of another checkout.
  if (missing !== undefined) throw new UserError("usage", `--grant read: ${missing.path} not found`);
  const all = readable.flatMap(({ path }) => [path, realPath(path)]);
  const paths = [...new Set(all)].filter((path) => existsSync(path));
  for (const path of paths)
    if (madeInside.includes(path))
      throw new UserError("usage", `read:${path} cannot be granted: the sandbox has a ${path} of its own`, {
        hint: "grant the folder below it that the skill needs",
      });
  permissions.require(paths.map(showToSkills));
  return paths;
}

/** Whether nothing may leave but what was granted: somebody demanded strict containment or a closed network. */
export function isClosed({ sandbox, floor, network }: ContainmentOptions): boolean {
  if (network !== null) return network === "none";
  return sandbox === "strict" || floor === "strict";
}
