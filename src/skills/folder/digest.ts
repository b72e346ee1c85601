import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { SkillFile } from "../../contract/skill.ts";
import { isInside, realPath, whereLinkLeads } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import { plainFileFlags, readPlainFile, refuseSwapped } from "./plain-file.ts";
import {
  asUserError,
  type FolderEntry,
  maxBytes,
  readable,
  tooLarge,
  type WalkOptions,
  walkFolder,
} from "./walk-folder.ts";

export interface FolderDigest {
  /** `sha256:…` over all files. */
  digest: string;
  /** In code-unit order of path. */
  files: readonly SkillFile[];
}

/** Hashes the files of a skill: equal trees give equal digests on every machine, whatever their times, modes or order. */
export async function digestFolder(dir: string, options: WalkOptions): Promise<FolderDigest> {
  const root = realPath(dir);
  const entries = [...walkFolder(dir, options)].filter((entry) => entry.kind !== "folder");
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const files: SkillFile[] = [];
  for (const entry of entries) {
    files.push(await digestEntry(entry, root));
    if (files.length % 100 === 0) await setImmediate(); // a large folder must not hold up the deadlines of others
  }
  return digestFiles(files);
}

/** The digest of files that were hashed, in code-unit order of path. */
export function digestFiles(files: readonly SkillFile[]): FolderDigest {
  const all = createHash("sha256");
  for (const { path, bytes, sha256 } of files) all.update(`${path}\0${bytes}\0${sha256}\n`);
  return { digest: `sha256:${all.digest("hex")}`, files };
}

const smallFileBytes = 1024 * 1024;

function digestEntry(entry: FolderEntry, root: string): SkillFile | Promise<SkillFile> {
  const { path, absolute } = entry;
  if (entry.kind === "link")
    return digestBytes(
      path,
      readable(absolute, () => linkContent(absolute, root)),
    );
  if (entry.kind !== "file")
    throw new UserError("skill-invalid", `${absolute} is not a regular file, folder or symlink`, {
      path: absolute,
      hint: "delete it: a skill contains only regular files",
    });
  return digestFile(entry);
}

/** Hashes one plain file. */
export function digestFile({ path, absolute, stats }: FolderEntry): SkillFile | Promise<SkillFile> {
  if (stats.size >= smallFileBytes) return digestLargeFile(path, absolute);
  return digestBytes(
    path,
    readable(absolute, () => readPlainFile(absolute)),
  );
}

function digestBytes(path: string, content: Uint8Array): SkillFile {
  return { path, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

function linkContent(absolute: string, root: string): Uint8Array {
  if (!isInside(root, whereLinkLeads(absolute)))
    throw new UserError(
      "path-outside-skill",
      `${absolute} is a symlink that points outside its skill folder`,
      {
        path: absolute,
        hint: "copy the file in, or delete the symlink",
      },
    );
  return Buffer.concat([Buffer.from("link:"), readlinkSync(absolute, { encoding: "buffer" })]);
}

async function digestLargeFile(path: string, absolute: string): Promise<SkillFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    await using file = await open(absolute, plainFileFlags);
    refuseSwapped(file.fd, absolute);
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: smallFileBytes })) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(absolute, "256 MiB");
      hash.update(chunk);
    }
  } catch (error) {
    throw asUserError(absolute, error);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}
