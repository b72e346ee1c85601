import { readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

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
