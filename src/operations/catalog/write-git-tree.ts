import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Git } from "../../shared/files/git.ts";
import { UserError } from "../../shared/user-error.ts";

const maxFiles = 100_000;
const maxBytes = 512 * 1024 * 1024;

/**
 * Writes the files of a tree in git into an empty folder, as they are stored: nothing of the repository is changed,
 * no filter and no hook runs. Returns how many entries were left out.
 */
export async function writeGitTree(git: Git, listing: Buffer, folder: string): Promise<number> {
  const { entries, leftOut } = gitEntries(listing);
  refuseHuge(entries);
  mkdirSync(folder, { recursive: true });
  if (entries.length === 0) return leftOut;
  const blobs = gitBlobs(git.stream(["cat-file", "--batch"], entries.map(({ oid }) => `${oid}\n`).join("")));
  const links: { entry: GitEntry; target: string }[] = [];
  let unwritten = leftOut;
  for (const entry of entries) {
    const { value: bytes } = await blobs.next();
    if (bytes == null) throw missing(entry);
    // Links come last: as long as there are none, no file can be written through one.
    if (entry.kind === "link") links.push({ entry, target: bytes.toString("utf8") });
    else if (!writeFile(join(folder, entry.path), bytes, entry)) unwritten++;
  }
  for (const { entry, target } of links) if (!writeLink(folder, entry, target)) unwritten++;
  return unwritten;
}

function refuseHuge(entries: readonly GitEntry[]): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (entries.length <= maxFiles && bytes <= maxBytes) return;
  const what = bytes > maxBytes ? `${Math.round(bytes / 1e6)} MB` : `${entries.length} files`;
  throw new UserError("usage", `the base contains ${what}, which is over the limit`, {
    hint: "pass a folder that contains only the skills",
  });
}

function writeFile(path: string, bytes: Buffer, { kind }: GitEntry): boolean {
  return tryWrite(() => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { flag: "wx" });
    if (kind === "program") chmodSync(path, 0o755);
  });
}

function writeLink(folder: string, { path }: GitEntry, target: string): boolean {
  if (!staysInside(path, target)) return false;
  return tryWrite(() => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  });
}

/** Allows `..` only at the start and within the tree: behind another link it could lead anywhere. */
function staysInside(path: string, target: string): boolean {
  const steps = target.split("/").filter((step) => step !== "." && step !== "");
  const ups = steps.findIndex((step) => step !== "..");
  const down = ups === -1 ? [] : steps.slice(ups);
  const depth = path.split("/").length - 1;
  const climbed = ups === -1 ? steps.length : ups;
  return target !== "" && !target.startsWith("/") && climbed <= depth && !down.includes("..");
}

/** Names that differ only in case collide on some machines, and a forged tree may use a file as a folder. */
function tryWrite(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR" || code === "EINVAL") return false;
    throw error;
  }
}

function missing({ path }: GitEntry): UserError {
  return new UserError("usage", `git has no content for ${path} in the base`, {
    path,
    hint: "fetch the full history: `git fetch --unshallow`, or `fetch-depth: 0` in GitHub Actions",
  });
}

/** The contents of objects as `git cat-file --batch` prints them, in the requested order; null for one that is missing. */
export async function* gitBlobs(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let held: Buffer[] = [];
  let length = 0;
  const source = pieces[Symbol.asyncIterator]();

  async function more(): Promise<boolean> {
    const next = await source.next();
    if (next.done) return false;
    held.push(next.value);
    length += next.value.length;
    return true;
  }
  function whole(): Buffer {
    if (held.length > 1) held = [Buffer.concat(held, length)];
    return held[0] ?? Buffer.alloc(0);
  }
  function drop(bytes: number): void {
    const rest = whole().subarray(bytes);
    held = [rest];
    length = rest.length;
  }

  try {
    for (;;) {
      let end = whole().indexOf(10);
      while (end === -1) {
        if (!(await more())) return;
        end = whole().indexOf(10);
      }
      const head = whole().toString("latin1", 0, end);
      drop(end + 1);
      const size = / blob (\d+)$/.exec(head)?.[1];
      if (size === undefined) {
        yield null;
        continue;
      }
      const bytes = Number(size);
      while (length < bytes + 1) if (!(await more())) return;
      yield Buffer.from(whole().subarray(0, bytes));
      drop(bytes + 1);
    }
  } finally {
    await source.return?.();
  }
}

/** A file of a tree in git. */
export interface GitEntry {
  kind: "file" | "program" | "link";
  oid: string;
  /** 0 where the listing is without sizes. */
  bytes: number;
  /** Relative to the tree, `/`-separated. */
  path: string;
}

const kinds: Readonly<Record<string, GitEntry["kind"]>> = {
  100644: "file",
  100755: "program",
  120000: "link",
};

/** The files that `git ls-tree -r -z` lists, with `-l` their sizes too, and how many entries are left out: submodules, names that lead elsewhere. */
export function gitEntries(listing: Buffer): { entries: GitEntry[]; leftOut: number } {
  const entries: GitEntry[] = [];
  let leftOut = 0;
  for (let start = 0; start < listing.length; ) {
    const end = listing.indexOf(0, start);
    if (end === -1) break;
    const entry = parseEntry(listing.subarray(start, end));
    if (entry === null) leftOut++;
    else entries.push(entry);
    start = end + 1;
  }
  return { entries, leftOut };
}

function parseEntry(line: Buffer): GitEntry | null {
  const tab = line.indexOf(9);
  const facts = /^(\d{6}) blob ([0-9a-f]{40,64})(?: +(\d{1,15}))?$/.exec(line.toString("latin1", 0, tab));
  const kind = kinds[facts?.[1] ?? ""];
  const path = parsePath(line.subarray(tab + 1));
  if (facts === null || kind === undefined || path === null) return null;
  return { kind, oid: facts[2] as string, bytes: Number(facts[3] ?? 0), path };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Null where the path could leave the tree: a forged tree may contain anything. */
function parsePath(bytes: Buffer): string | null {
  try {
    const path = utf8.decode(bytes);
    const isPlain = path.split("/").every((step) => !["", ".", "..", ".git"].includes(step.toLowerCase()));
    return isPlain ? path : null;
  } catch {
    return null;
  }
}
