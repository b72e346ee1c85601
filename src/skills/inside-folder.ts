import { readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse } from "node:path";

/** The real place a link points to, also where nothing is there yet. */
export function whereLinkLeads(link: string): string {
  const target = readlinkSync(link);
  let place = isAbsolute(target) ? parse(target).root : realPath(dirname(link));
  for (const step of target.split(/[\\/]/).filter((name) => name !== "" && name !== "."))
    place = step === ".." ? dirname(place) : realPath(join(place, step));
  return place;
}

/** The path with its links followed, as far as something is there. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), path.slice(folder.length).replace(/^[\\/]/, ""));
  }
}
