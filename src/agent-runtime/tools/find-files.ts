import { posix } from "node:path";
import { inOrder } from "../../shared/async/in-order.ts";
import { listInside } from "../../shared/files/guarded-file.ts";
import type { ToolPlace } from "./resolve-tool-path.ts";
import { type Hiding, hidesFromTool } from "./tool-reading.ts";

/** The files below a folder, by code units of their paths. Links are not followed, dot names and what is hidden left out. */
export function findFiles(
  place: ToolPlace,
  folder: string,
  hiding: Hiding,
): { paths: string[]; isCut: boolean } {
  const paths: string[] = [];
  const folders = [{ path: folder, depth: 0 }];
  let namesLeft = maxNames;
  let isCut = false;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const list = listInside(place.base, next.path, namesLeft);
    if (!list.ok) continue; // gone meanwhile, or not ours to read
    namesLeft -= list.entries.length;
    isCut ||= list.isCut;
    const below: typeof folders = [];
    for (const { name, kind } of list.entries) {
      const path = posix.join(next.path, name);
      const isLeftOut =
        name.startsWith(".") ||
        hidesFromTool(place, hiding, { requested: path, resolved: null, inside: true });
      if (isLeftOut) continue;
      if (kind === "file") paths.push(path);
      else if (kind === "folder") below.push({ path, depth: next.depth + 1 });
      if (paths.length > maxFiles) return { paths: paths.slice(0, maxFiles).sort(inOrder), isCut: true };
    }
    if (next.depth < maxDepth) folders.push(...below.reverse());
    else isCut ||= below.length > 0;
  }
  return { paths: paths.sort(inOrder), isCut };
}

const maxFiles = 2000;
const maxNames = 20_000;
const maxDepth = 32;
