import { mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

/**
 * Whether a path is this folder or lies below it; by its parts, since `/root-evil` begins with `/root` too. Both must be
 * real paths, or neither.
 */
export function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** A path as one would type it in this folder: what lies below it without the way there, anything else whole. */
export function nearPath(path: string, folder: string): string {
  const near = relative(folder, path);
  const isBelow = near !== "" && near !== ".." && !near.startsWith("../") && !isAbsolute(near);
  return isBelow ? near : path;
}

/** The real path a link points to, also where nothing is there yet. */
export function whereLinkLeads(link: string): string {
  const target = readlinkSync(link);
  return goOn(isAbsolute(target) ? parse(target).root : realPath(dirname(link)), target);
}

/** The path with its links followed, also those that lead to where nothing is yet. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  return tryRealPath(absolute) ?? goOn(parse(absolute).root, absolute);
}

/**
 * Goes on from a real folder step by step, following links; where there is nothing, by the names alone. A stranger may
 * have written a path of a hundred thousand steps, so none is looked up twice.
 */
function goOn(from: string, rest: string, linksLeft = maxLinks): string {
  let current = from;
  const beyond: string[] = [];
  for (const step of rest.split(/[\\/]/).filter((name) => name !== "" && name !== ".")) {
    if (step === "..") {
      if (beyond.pop() === undefined) current = dirname(current);
      continue;
    }
    if (beyond.length > 0) {
      beyond.push(step);
      continue;
    }
    const path = join(current, step);
    const target = linksLeft > 0 ? (tryRealPath(path) ?? throughLink(path, linksLeft)) : null;
    if (target === null) beyond.push(step);
    else current = target;
  }
  return beyond.length === 0 ? current : `${current === sep ? "" : current}${sep}${beyond.join(sep)}`;
}

/** As many as Linux follows in one path: links may lead to each other. */
const maxLinks = 40;

/** Where a link leads at which nothing is. */
function throughLink(path: string, linksLeft: number): string | null {
  try {
    const target = readlinkSync(path);
    return goOn(isAbsolute(target) ? parse(target).root : dirname(path), target, linksLeft - 1);
  } catch {
    return null; // nothing is there, or no link
  }
}

function tryRealPath(path: string): string | null {
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

/** Whether there is a file at a path, links followed; a text that can be no path is none. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
