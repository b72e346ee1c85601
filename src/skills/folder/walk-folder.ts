import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import { matchesPath } from "./path-pattern.ts";

const maxFiles = 10_000;
const longestPatterns = 4096;
export const maxBytes = 256 * 1024 * 1024;

export interface WalkOptions {
  /** Patterns of `metadata.digestIgnore`, relative to the folder. */
  ignore: readonly string[];
  /** Absolute paths that are not part of the skill: the store, the output folder. */
  exclude: readonly string[];
  /** Files, and folders with all they hold, that count whatever is ignored. */
  keep?: readonly string[] | undefined;
  /** Whether also those files count that lie in many skills and are part of none. */
  isWhole?: boolean | undefined;
  /** Called with what cannot be read, instead of giving up there; a cap is reported last. */
  onProblem?: ((path: string, problem: string) => void) | undefined;
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
  const { keep = [], isWhole = false, onProblem } = options;
  const ignore = checkPatterns(options, dir);
  const root = realPath(resolve(dir));
  const excluded = realPaths(options.exclude);
  // An output folder that holds the whole skill would leave nothing to look at.
  const outside = excluded.filter((path) => !isInside(path, root));
  const counts = { files: 0, folders: 0, bytes: 0n };
  const look = <Result>(path: string, operation: (absolute: string) => Result): Result | null => {
    const absolute = join(root, path);
    try {
      return operation(absolute);
    } catch (error) {
      const problem = unreadableWords(absolute, error);
      if (onProblem === undefined || problem === null) throw asUserError(absolute, error);
      onProblem(path, problem);
      return null;
    }
  };
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    // Checked before anything else: what a skill writes and deletes while we look may be gone at the next step.
    if (isIgnored(path, ignore) && !isKept(path, keep)) continue;
    const stats = look(path, (absolute) =>
      outside.includes(absolute) || (!isWhole && isLeftOut(path, absolute))
        ? null
        : lstatSync(absolute, { bigint: true }),
    );
    if (stats === null) continue;
    const kind = entryKind(stats);
    const limit = limitReached(counts, kind, stats.size);
    if (limit !== null) {
      if (onProblem === undefined) throw tooLarge(dir, limit);
      return onProblem("", tooLargeWords(limit));
    }
    yield { path, absolute: join(root, path), kind, stats };
    if (kind !== "folder") continue;
    for (const name of look(path, (absolute) => readdirSync(absolute)) ?? [])
      waiting.push(path === "" ? name : `${path}/${name}`);
  }
}

const knownRealPaths = new WeakMap<readonly string[], readonly string[]>();

/** Found out once per list: thousands of skills are walked with the same one, most often of paths where nothing is yet. */
function realPaths(paths: readonly string[]): readonly string[] {
  const known = knownRealPaths.get(paths);
  if (known !== undefined) return known;
  const found = paths.map((path) => realPath(resolve(path)));
  knownRealPaths.set(paths, found);
  return found;
}

/** Does a file operation; what a change of the folder could fix becomes a `UserError`. */
export function readable<Result>(path: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw asUserError(path, error);
  }
}

const fixableErrors = new Set([
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
  const problem = unreadableWords(path, error);
  if (problem === null) return error;
  return new UserError("skill-invalid", `${path} ${problem}`, { path, cause: error });
}

/** Why something in a folder cannot be looked at; null where no change of the folder could fix it. */
export function unreadableWords(path: string, error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !fixableErrors.has(code)) return null;
  // Invalid bytes were decoded as this character, and no file has that name.
  if (code === "ENOENT" && path.includes("\ufffd")) return "has a name that is not UTF-8";
  return `cannot be read (${code})`;
}

function isFolder(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
}

function entryKind(stats: BigIntStats): FolderEntry["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** Names of what lies in many skills and is part of none. */
export const leftOutNames: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
]);
const leftOutFiles = /^(?:.*\.pyc|\.DS_Store|.*\.log|\.eval\.jsonl)$/s;

function isLeftOut(path: string, absolute: string): boolean {
  if (path === "") return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return leftOutNames.has(name) || (leftOutFiles.test(name) && !isFolder(absolute));
}

/** Each is matched against every path: an untrusted manifest must not make that slow. */
function checkPatterns({ ignore, onProblem }: WalkOptions, dir: string): readonly string[] {
  if (ignore.join("").length <= longestPatterns) return ignore;
  const problem = "metadata.digestIgnore has more than 4,096 characters";
  if (onProblem === undefined)
    throw new UserError("skill-invalid", `${dir}: ${problem}`, {
      path: dir,
      hint: "list folders instead of files",
    });
  onProblem("", problem);
  return [];
}

/** Whether a pattern names a path. One that names a folder excludes all it holds, since it is not walked. */
export function isIgnored(path: string, ignore: readonly string[]): boolean {
  return path !== "" && ignore.some((pattern) => matchesPath(pattern, path));
}

/** Whether a path is listed in `keep`, or is above or below a listed one. */
function isKept(path: string, keep: readonly string[]): boolean {
  return keep.some((kept) => `${path}/`.startsWith(`${kept}/`) || kept.startsWith(`${path}/`));
}

function limitReached(
  counts: { files: number; folders: number; bytes: bigint },
  kind: FolderEntry["kind"],
  size: bigint,
): string | null {
  if (kind === "folder") counts.folders++;
  else counts.files++;
  if (kind === "file") counts.bytes += size;
  if (counts.files > maxFiles || counts.folders > maxFiles) return "10,000 files";
  return counts.bytes > maxBytes ? "256 MiB" : null;
}

export function tooLarge(dir: string, limit: string): UserError {
  return new UserError("skill-invalid", `${dir} ${tooLargeWords(limit)}`, {
    path: dir,
    hint: "delete what the skill does not need, or list what it writes in metadata.digestIgnore",
  });
}

function tooLargeWords(limit: string): string {
  return `contains more than ${limit}, the limit for a skill`;
}
