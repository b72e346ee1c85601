import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";

/** What a command did to the files of a workspace. */
export interface WorkspaceChanges {
  added: string[];
  changed: string[];
  deleted: string[];
}

/** Every file, link and folder below a folder, by path, with its content: times and owners change with the sandbox. */
type Snapshot = ReadonlyMap<string, string>;

/** More than a case should hold: nothing is compared then. */
const maxEntries = 20_000;
const maxBytes = 256 << 20;

/** Looks at a workspace; null where it is too large to be looked at, or cannot be. */
export function takeSnapshot(workspace: string): Snapshot | null {
  const found = new Map<string, string>();
  let bytes = 0;
  const pending = [""];
  try {
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for (const entry of readdirSync(join(workspace, folder), { withFileTypes: true })) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (found.size === maxEntries) return null;
        if (entry.isDirectory()) pending.push(path);
        bytes += entry.isFile() ? lstatSync(join(workspace, path)).size : 0;
        if (bytes > maxBytes) return null;
        found.set(path, contentOf(join(workspace, path), entry));
      }
    }
  } catch {
    return null; // something was changed meanwhile, or taken from us: nothing can be said
  }
  return found;
}

function contentOf(path: string, entry: Dirent): string {
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  return entry.isFile() ? sha256(readFileSync(path)) : "other";
}

/** How one look differs from another; null where one of them could not be taken. */
export function compareSnapshots(before: Snapshot | null, after: Snapshot | null): WorkspaceChanges | null {
  if (before === null || after === null) return null;
  const changes: WorkspaceChanges = { added: [], changed: [], deleted: [] };
  for (const [path, stamp] of after) {
    const known = before.get(path);
    if (known === undefined) changes.added.push(path);
    else if (known !== stamp) changes.changed.push(path);
  }
  for (const path of before.keys()) if (!after.has(path)) changes.deleted.push(path);
  for (const paths of Object.values(changes)) paths.sort(inOrder);
  return changes;
}
