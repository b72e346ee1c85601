import { readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { SkillFile } from "../../contract/skill.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { UserError } from "../../shared/user-error.ts";
import { digestFile, digestFiles } from "./digest.ts";
import { type FolderEntry, walkFolder } from "./walk-folder.ts";

/** What git writes with every commit and nobody examines; its hooks and settings count. */
const gitStore = ["objects", "logs", "refs", "index", "HEAD", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG"];

/**
 * Hashes everything in a folder, for those who look at all of it: dependencies and dot-files too. Refuses nothing: what cannot
 * be read, or is more than can be, counts by why.
 */
export async function contentDigest(dir: string, exclude: readonly string[]): Promise<string> {
  const problems: SkillFile[] = [];
  const onProblem = (path: string, problem: string) => void problems.push(named(path, `problem:${problem}`));
  const ignore = gitStore.map((name) => `.git/${name}`);
  const entries = [...walkFolder(dir, { ignore, exclude, isWhole: true, onProblem })].filter(
    ({ kind }) => kind !== "folder",
  );
  const files: SkillFile[] = [];
  for (const entry of entries) {
    files.push(await digestEntry(entry));
    if (files.length % 100 === 0) await setImmediate(); // a large folder must not hold up the deadlines of others
  }
  const all = [...files, ...problems].sort((a, b) => (a.path < b.path ? -1 : 1));
  return digestFiles(all).digest;
}

async function digestEntry(entry: FolderEntry): Promise<SkillFile> {
  const { path, absolute, kind } = entry;
  try {
    if (kind === "file") return await digestFile(entry);
    return named(path, kind === "link" ? `link:${readlinkSync(absolute)}` : kind);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return named(path, `problem:${error.code}`);
  }
}

function named(path: string, words: string): SkillFile {
  return { path, bytes: 0, sha256: sha256(words) };
}
