import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../shared/user-error.ts";
import { gitBlobs } from "./git-blobs.ts";
import { type GitEntry, gitEntries } from "./git-entries.ts";
import type { Git } from "./git-program.ts";

const maxFiles = 100_000;
const maxBytes = 512 * 1024 * 1024;

/**
 * Writes the files of a tree in git into an empty folder, as they are stored: nothing of the repository is changed,
 * no filter and no hook runs. Says how many entries were left out.
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
  return isDone(() => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { flag: "wx" });
    if (kind === "program") chmodSync(path, 0o755);
  });
}

function writeLink(folder: string, { path }: GitEntry, target: string): boolean {
  if (!staysInside(path, target)) return false;
  return isDone(() => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  });
}

/** Up as far as the tree reaches, then only down: a way up behind another link could lead anywhere. */
function staysInside(path: string, target: string): boolean {
  const steps = target.split("/").filter((step) => step !== "." && step !== "");
  const ups = steps.findIndex((step) => step !== "..");
  const down = ups === -1 ? [] : steps.slice(ups);
  const depth = path.split("/").length - 1;
  const climbed = ups === -1 ? steps.length : ups;
  return target !== "" && !target.startsWith("/") && climbed <= depth && !down.includes("..");
}

/** Names that differ only in case are one on some machines, and a forged tree may name a file as a folder. */
function isDone(write: () => void): boolean {
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
