import { mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

/**
 * Whether a path is this folder or lies below it; by its parts, since `/root-evil` begins with `/root` too. Both must be
 * real paths, or neither.
 */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A path as one would type it in this folder: what lies below it without the way there, anything else whole. */
export function nearPath(path: string, folder: string): string {
  const near = relative(folder, path);
  const isBelow = near !== "" && near !== ".." && !near.startsWith("../") && !isAbsolute(near);
  return isBelow ? near : path;
}

/** The real place a link points to, also where nothing is there yet. */
export function whereLinkLeads(link: string): string {
  const target = readlinkSync(link);
  return goOn(isAbsolute(target) ? parse(target).root : realPath(dirname(link)), target);
}

/** The path with its links followed, as far as something is there. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  return realPlace(absolute) ?? goOn(parse(absolute).root, absolute);
}

/**
 * Goes on from a real folder step by step, following links; where there is nothing, by the names alone. A stranger may
 * have written a way of a hundred thousand steps, so none is asked for twice.
 */
function goOn(from: string, way: string): string {
  let place = from;
  const beyond: string[] = [];
  for (const step of way.split(/[\\/]/).filter((name) => name !== "" && name !== ".")) {
    if (step === "..") {
      if (beyond.pop() === undefined) place = dirname(place);
      continue;
    }
    const next = beyond.length > 0 ? null : realPlace(join(place, step));
    if (next === null) beyond.push(step);
    else place = next;
  }
  return beyond.length === 0 ? place : `${place === sep ? "" : place}${sep}${beyond.join(sep)}`;
}

function realPlace(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Makes a folder and what is missing above it. Node's own way never returns where a file system refuses, as `/proc` does. */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile; a file in its place is still an error.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
