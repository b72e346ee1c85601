import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Git, type GitOptions, gitIn } from "../../shared/files/git.ts";
import { fetchHint, findCommit, isRefName } from "../../shared/files/git-commit.ts";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import { type GitEntry, gitEntries } from "../catalog/write-git-tree.ts";
import type { FileChange, FileChanges } from "./file-changes.ts";

/**
 * The files of a work tree beside a commit. Anything that is missing for that is the user's mistake. Files are compared by
 * us: to compare them, git would start the filters that a repository names. So a file that a filter rewrites on checkout
 * counts as changed.
 */
export async function openGitChanges(ref: string, options: GitOptions): Promise<FileChanges> {
  if (!isRefName(ref)) throw refused(`${JSON.stringify(ref)} is not a git ref`, refHint);
  const git = gitIn(options);
  if (git === null) throw refused("git is not installed", "without it, --changed takes no ref");
  const commit = await findCommit(git, ref);
  if (!("oid" in commit)) {
    if (commit.isRepository) throw refused(`git knows no commit ${ref}`, `${refHint}; ${fetchHint}`);
    throw refused(`git failed in ${options.cwd}: ${commit.problem}`, "run it inside a git repository");
  }
  const root = (await answer(git, ["rev-parse", "--show-toplevel"])).toString("utf8").replace(/\n$/, "");
  const top = gitIn({ ...options, cwd: root });
  if (top === null) throw refused("git is not installed", "without it, --changed takes no ref");
  // Without sizes, which a clone without blobs does not know.
  const tree = await answer(top, ["ls-tree", "-r", "-z", "--full-tree", commit.oid]);
  const now = await answer(top, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  return compareFiles(realPath(root), gitEntries(tree).entries, now.toString("utf8").split("\0"));
}

const refHint = "pass a branch, a tag or a commit, and write other arguments before --changed";

async function answer(git: Git, args: Parameters<Git["ask"]>[0]): Promise<Buffer> {
  const given = await git.ask(args);
  if (given.ok) return given.stdout;
  throw refused(`git ${args[0]} failed: ${given.problem}`, "nothing is fetched: see `git fsck`");
}

function refused(message: string, hint: string): UserError {
  return new UserError("usage", `--changed: ${message}`, { hint });
}

function compareFiles(root: string, entries: readonly GitEntry[], now: readonly string[]): FileChanges {
  const then = new Map(entries.map((entry) => [entry.path, entry]));
  const known = new Set(now.filter((name) => name !== "" && !name.endsWith("/")));
  const names = [...new Set([...then.keys(), ...known])].sort();
  const seen = new Map<string, FileChange["how"] | null>();

  function namesBelow(path: string): string[] {
    const real = realPath(path);
    if (!isInside(root, real)) return [];
    const name = relative(root, real).split(sep).join("/");
    if (name === "") return names;
    if (then.has(name) || known.has(name)) return [name];
    const found: string[] = [];
    for (let at = firstFrom(names, `${name}/`); names[at]?.startsWith(`${name}/`); at++)
      found.push(names[at] ?? "");
    return found;
  }

  return {
    *below(path) {
      for (const name of namesBelow(path)) {
        const how = seen.get(name) ?? howChanged(join(root, name), then.get(name));
        seen.set(name, how);
        if (how !== null) yield { path: join(root, name), how };
      }
    },
    files: (path) => namesBelow(path).map((name) => join(root, name)),
  };
}

/** The first place in a sorted list that is not before a name. */
function firstFrom(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? "") < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

function howChanged(path: string, entry: GitEntry | undefined): FileChange["how"] | null {
  const facts = tryTo(() => lstatSync(path, { throwIfNoEntry: false }));
  if (facts == null) return entry === undefined ? null : "deleted";
  if (entry === undefined) return "new";
  const kind = facts.isSymbolicLink() ? "link" : (facts.mode & 0o100) === 0 ? "file" : "program";
  if (kind !== entry.kind || !(facts.isFile() || kind === "link") || facts.size > maxBytes) return "changed";
  const length = entry.oid.length;
  const id = tryTo(() => (kind === "link" ? linkId(path, length) : fileId(path, facts.size, length)));
  return id === entry.oid ? null : "changed";
}

/** Nothing this large is read: it counts as changed. */
const maxBytes = 1024 ** 3;

/** What git calls a content: repositories use SHA-1, or the longer SHA-256. */
function openId(bytes: number, idLength: number) {
  return createHash(idLength === 40 ? "sha1" : "sha256").update(`blob ${bytes}\0`);
}

function linkId(path: string, idLength: number): string {
  const target = Buffer.from(readlinkSync(path));
  return openId(target.length, idLength).update(target).digest("hex");
}

function fileId(path: string, bytes: number, idLength: number): string {
  const id = openId(bytes, idLength);
  if (bytes <= pieceBytes) return id.update(readFileSync(path)).digest("hex");
  const file = openSync(path, "r");
  try {
    const piece = Buffer.alloc(pieceBytes);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      id.update(piece.subarray(0, read));
    return id.digest("hex");
  } finally {
    closeSync(file);
  }
}

const pieceBytes = 1024 ** 2;

/** Undefined where the file system refuses, or a folder is a file by now. */
function tryTo<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
