import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInside } from "../base/is-inside.ts";
import { UserError } from "../contract/user-error.ts";
import { realPath } from "./inside-folder.ts";
import { matchesPath } from "./path-pattern.ts";

const maxFiles = 10_000;
export const maxBytes = 256 * 1024 * 1024;

export interface WalkOptions {
  /** Patterns of `metadata.digestIgnore`, relative to the folder. */
  ignore: readonly string[];
  /** Absolute paths that are no part of the skill: the store, the output folder. */
  exclude: readonly string[];
}

export interface FolderEntry {
  /** Relative to the folder, `/`-separated; empty for the folder itself. */
  path: string;
  absolute: string;
  kind: "file" | "link" | "folder" | "other";
  /** Taken before anything of the entry is read. */
  stats: BigIntStats;
}

/** Everything that counts as part of a skill, the folder itself first. Follows no link, and refuses a folder beyond the caps. */
export function* walkFolder(dir: string, options: WalkOptions): Generator<FolderEntry> {
  const root = realPath(resolve(dir));
  const excluded = options.exclude.map((path) => realPath(resolve(path)));
  // An output folder that holds the whole skill would leave nothing to look at.
  const outside = excluded.filter((path) => !isInside(path, root));
  const counts = { files: 0, folders: 0, bytes: 0n };
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const absolute = path === "" ? root : join(root, path);
    // Asked before anything else: what a skill writes and deletes while we look may be gone at the next step.
    if (path !== "" && isLeftOut(path, absolute, options.ignore, outside)) continue;
    const stats = readable(absolute, () => lstatSync(absolute, { bigint: true }));
    const kind = kindOf(stats);
    count(counts, kind, stats.size, dir);
    yield { path, absolute, kind, stats };
    if (kind !== "folder") continue;
    const names = readable(absolute, () => readdirSync(absolute));
    for (const name of names) waiting.push(path === "" ? name : `${path}/${name}`);
  }
}

/** Does a file operation; what a change of the folder could mend becomes a `UserError`. */
export function readable<Result>(path: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw asUserError(path, error);
  }
}

const mendable = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "EINVAL", // a link that became something else while we looked
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENAMETOOLONG",
  "ENXIO",
]);

export function asUserError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !mendable.has(code)) return error;
  return new UserError("skill-invalid", `${path} cannot be read (${code})`, { path, cause: error });
}

function isFolder(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
}

function kindOf(stats: BigIntStats): FolderEntry["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

const leftOutNames = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__"]);
const leftOutFiles = /^(?:.*\.pyc|\.DS_Store|.*\.log|\.eval\.jsonl)$/s;

function isLeftOut(
  path: string,
  absolute: string,
  ignore: readonly string[],
  excluded: readonly string[],
): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (leftOutNames.has(name) || (leftOutFiles.test(name) && !isFolder(absolute))) return true;
  return excluded.includes(absolute) || ignore.some((pattern) => matchesPath(pattern, path));
}

function count(
  counts: { files: number; folders: number; bytes: bigint },
  kind: FolderEntry["kind"],
  size: bigint,
  dir: string,
): void {
  if (kind === "folder") counts.folders++;
  else counts.files++;
  if (kind === "file") counts.bytes += size;
  if (counts.files > maxFiles || counts.folders > maxFiles) throw tooLarge(dir, "10,000 files");
  if (counts.bytes > maxBytes) throw tooLarge(dir, "256 MiB");
}

export function tooLarge(dir: string, limit: string): UserError {
  return new UserError("skill-invalid", `${dir} holds more than ${limit}, the most a skill may have`, {
    path: dir,
    hint: "delete what the skill does not need, or name what it writes in metadata.digestIgnore",
  });
}
