import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  renameSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Fix } from "../../contract/findings.ts";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { readPlainFile } from "../../skills/folder/plain-file.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";

export interface WrittenFixes {
  fixes: Fix[];
  unwritten: { fix: Fix; problem: string }[];
}

/** Writes repairs, each file whole or not at all. */
export function writeFixes({ dir }: Pick<SkillFolder, "dir">, fixes: readonly Fix[]): WrittenFixes {
  const written: WrittenFixes = { fixes: [], unwritten: [] };
  for (const fix of fixes) {
    try {
      writeFix(dir, fix);
      written.fixes.push(fix);
    } catch (error) {
      written.unwritten.push({ fix, problem: (error as Error).message });
    }
  }
  return written;
}

function writeFix(dir: string, { file, newFile, before, after }: Fix): void {
  const target = realPath(join(dir, file)); // a link stays one, and what it leads to is written
  if (!isInside(dir, target)) throw new Error("it is outside the skill folder");
  if (readPlainFile(target).toString("utf8") !== before) throw new Error("it was changed in the meantime");
  accessSync(target, constants.W_OK); // a new file could replace one that its owner protected
  if (after !== before) {
    const stats = statSync(target);
    writeWholeFile(target, after, { mode: stats.mode & 0o7777 });
    keepOwner(target, stats);
  }
  if (newFile !== file) renameByTwoSteps(join(dir, file), join(dir, newFile));
}

/** A new file has the mode that the process allows and the owner of the process. */
function keepOwner(path: string, { mode, uid, gid }: Stats): void {
  const now = statSync(path);
  if (now.uid !== uid || now.gid !== gid) chownIfPossible(path, uid, gid);
  if (statSync(path).mode !== mode) chmodSync(path, mode & 0o7777);
}

/** Only root may give a file to somebody else; the content is right all the same. */
function chownIfPossible(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // it stays with whoever fixed it
  }
}

/** Some file systems take names that differ in case for one, and would not rename the one to the other. */
function renameByTwoSteps(from: string, to: string): void {
  const isTaken = lstatSync(to, { throwIfNoEntry: false });
  const own = lstatSync(from);
  if (isTaken !== undefined && (isTaken.ino !== own.ino || isTaken.dev !== own.dev))
    throw new Error(`${basename(to)} already exists`);
  const between = join(dirname(from), `.${basename(to)}.${randomBytes(6).toString("hex")}.tmp`);
  renameSync(from, between);
  try {
    renameSync(between, to);
  } catch (error) {
    renameSync(between, from);
    throw error;
  }
}
