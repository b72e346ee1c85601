import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { readPlainFile } from "./plain-file.ts";

/** What can be wrong with a file of a skill that somebody wants to read. */
export type FileProblem =
  | "missing"
  | "outside"
  | "not a regular file"
  | "too large"
  | "unreadable"
  | "not UTF-8";

export type FileBytes = { ok: true; bytes: Buffer } | { ok: false; problem: FileProblem };
export type FileText = { ok: true; text: string } | { ok: false; problem: FileProblem };

type FoundFile = { ok: true; absolute: string; stats: Stats } | { ok: false; problem: FileProblem };

const longestText = 4 * 1024 * 1024;
/** No system has longer paths, and to take one apart costs the square of its length. */
export const longestPath = 4096;

/** The folder of a skill as its readers see it: a file is read once, never beyond a cap, and no link leads out. */
export class SkillFolder {
  /** Absolute, links followed. */
  readonly dir: string;
  /** As it is called in messages; the name on disk, not that of a link to it. */
  readonly name: string;
  /** The file that is its manifest, where it has one: `skill.json`, or the one that was named instead. */
  readonly manifestName: string;
  readonly #texts = new Map<string, FileText>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #found = new Map<string, FoundFile>();
  readonly #plainFolders = new Map<string, boolean>();

  constructor(dir: string, manifestName = "skill.json") {
    this.dir = realPath(resolve(dir));
    this.name = basename(this.dir);
    this.manifestName = manifestName;
  }

  /** The names in a folder of it, in code-unit order; none where there is no such folder. */
  names(path = ""): readonly string[] {
    const known = path.length > longestPath ? [] : this.#names.get(path);
    if (known !== undefined) return known;
    const isThere = path === "" || (this.#isListed(path) && this.#isReachable(path));
    const names = isThere ? namesIn(join(this.dir, path)) : [];
    this.#names.set(path, names);
    return names;
  }

  /** Whether there is a plain file of exactly this name, case included, also behind a link that stays inside. */
  has(path: string): boolean {
    return this.#isListed(path) && this.#find(path).ok;
  }

  /** Why a file could not be read, as far as is known. */
  problemWith(path: string): FileProblem | null {
    const found = this.#find(path);
    return found.ok ? null : found.problem;
  }

  /** The text of a file, without a byte order mark. */
  text(path: string): FileText {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const read = decoded(this.bytes(path, longestText));
    this.#texts.set(path, read);
    return read;
  }

  /** The bytes of a file, at most so many. */
  bytes(path: string, capBytes: number): FileBytes {
    const found = this.#find(path);
    if (!found.ok) return found;
    if (found.stats.size > capBytes) return { ok: false, problem: "too large" };
    try {
      return { ok: true, bytes: readPlainFile(found.absolute) };
    } catch {
      return { ok: false, problem: "unreadable" };
    }
  }

  #find(path: string): FoundFile {
    if (path.length > longestPath) return { ok: false, problem: "missing" };
    const found = this.#found.get(path) ?? this.#lookFor(path);
    this.#found.set(path, found);
    return found;
  }

  #lookFor(path: string): FoundFile {
    return this.#lookDirectly(path) ?? this.#lookBehindLinks(path);
  }

  /** Without links on the way the path is already real; asking the system for the real path takes longer. */
  #lookDirectly(path: string): FoundFile | null {
    if (/\\|(?:^|\/)\.{0,2}(?:\/|$)/.test(path) || !this.#isPlainFolder(parentPath(path))) return null;
    const absolute = join(this.dir, path);
    const stats = readStats(absolute);
    return typeof stats !== "string" && stats.isSymbolicLink() ? null : foundAs(absolute, stats);
  }

  /** Whether it is a folder, and neither it nor one above it is a link. */
  #isPlainFolder(path: string): boolean {
    if (path === "") return true;
    const known = this.#plainFolders.get(path);
    if (known !== undefined) return known;
    const stats = this.#isPlainFolder(parentPath(path)) ? readStats(join(this.dir, path)) : "missing";
    const isPlain = typeof stats !== "string" && stats.isDirectory();
    this.#plainFolders.set(path, isPlain);
    return isPlain;
  }

  #lookBehindLinks(path: string): FoundFile {
    const absolute = realPath(resolve(this.dir, path));
    if (!isInside(this.dir, absolute)) return { ok: false, problem: "outside" };
    return foundAs(absolute, readStats(absolute));
  }

  /** Looked up in the folder above, which most often is known: asking the system for what is not there takes longer. */
  #isListed(path: string): boolean {
    return this.names(parentPath(path)).includes(path.slice(path.lastIndexOf("/") + 1));
  }

  #isReachable(path: string): boolean {
    return this.#isPlainFolder(path) || isInside(this.dir, realPath(resolve(this.dir, path)));
  }
}

function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function decoded(read: FileBytes): FileText {
  if (!read.ok) return read;
  if (!isUtf8(read.bytes)) return { ok: false, problem: "not UTF-8" };
  return { ok: true, text: read.bytes.toString("utf8").replace(/^\ufeff/, "") };
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return []; // no folder, or none that may be read: whoever reads a file of it gets the problem
  }
}

function foundAs(absolute: string, stats: Stats | "missing" | "unreadable"): FoundFile {
  if (typeof stats === "string") return { ok: false, problem: stats };
  // Links were followed: one that is left leads to nothing.
  if (stats.isSymbolicLink()) return { ok: false, problem: "missing" };
  return stats.isFile() ? { ok: true, absolute, stats } : { ok: false, problem: "not a regular file" };
}

function readStats(absolute: string): Stats | "missing" | "unreadable" {
  try {
    return lstatSync(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" || code === "EPERM" ? "unreadable" : "missing";
  }
}

type Read<Reading> = (folder: SkillFolder, path: string) => Promise<Reading>;

/** Makes a reader remember its result, so that reading again gives the same answer at once. */
export function readOnce<Reading>(read: Read<Reading>): Read<Reading> {
  const known = new WeakMap<SkillFolder, Map<string, Promise<Reading>>>();
  return (folder, path) => {
    const readings = known.get(folder) ?? new Map<string, Promise<Reading>>();
    known.set(folder, readings);
    const reading = readings.get(path) ?? read(folder, path);
    readings.set(path, reading);
    return reading;
  };
}
