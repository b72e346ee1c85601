import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../shared/files/paths.ts";
import { writeWholeFile } from "../shared/files/whole-file.ts";
import { UserError, unwritable } from "../shared/user-error.ts";
import type { SkillFiles } from "./shared-files.ts";

/** Puts a skill's files into `<parent>/<id>`: a new folder all at once, an existing one only with `force`. */
export function writeSkillFolder(parent: string, id: string, files: SkillFiles, force: boolean): void {
  const target = join(parent, id);
  try {
    const present = lstatSync(target, { throwIfNoEntry: false });
    if (present === undefined) createWhole(parent, id, files);
    else if (force) replaceFiles(target, files);
    else
      throw new UserError("usage", `${target} already exists`, {
        path: target,
        hint: "--force replaces the generated files in it",
      });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(target, error, "use --output-dir with a writable folder");
  }
}

function createWhole(parent: string, id: string, files: SkillFiles): void {
  makeFolder(parent);
  const temporary = join(parent, `.${id}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    mkdirSync(temporary);
    writeFiles(temporary, files);
    renameSync(temporary, join(parent, id));
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Everything is checked before anything is replaced, and no link leads out of the folder. */
function replaceFiles(target: string, files: SkillFiles): void {
  refuseUnlessFolder(target);
  for (const name of Object.keys(files)) {
    const folder = dirname(join(target, name));
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) refuseUnlessFolder(folder);
    if (lstatSync(join(target, name), { throwIfNoEntry: false })?.isDirectory())
      throw new UserError("output-unwritable", `${join(target, name)} is a folder`, {
        path: join(target, name),
      });
  }
  writeFiles(target, files);
}

function refuseUnlessFolder(path: string): void {
  if (!lstatSync(path).isDirectory())
    throw new UserError("output-unwritable", `${path} is not a folder (symlinks are not followed)`, { path });
}

function writeFiles(folder: string, files: SkillFiles): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    makeFolder(dirname(path));
    // Writing would follow a link out of the folder.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
    writeWholeFile(path, text);
  }
}
