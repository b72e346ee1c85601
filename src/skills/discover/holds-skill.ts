import type { Dirent } from "node:fs";
import { basename, join } from "node:path";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { detectKind } from "../folder/detect-kind.ts";
import { promptNames } from "../folder/prompt-candidates.ts";
import { SkillFolder } from "../folder/skill-folder.ts";
import { isFolder } from "./scan-folders.ts";

/** Whether a folder is a skill of any kind, by the names in it; only a `meta.yml` without such a name has to be read. */
export async function holdsSkill(dir: string, entries: readonly Dirent[]): Promise<boolean> {
  const isThere = (entry: Dirent) => !isFolderEntry(dir, entry);
  if (entries.some((entry) => isSkillFile(entry.name) && isThere(entry))) return true;
  if (!entries.some((entry) => entry.name === "meta.yml" && isThere(entry))) return false;
  const { kind } = await detectKind(new SkillFolder(dir), new Diagnostics("lenient", basename(dir)));
  return kind !== "none";
}

/** Whether a file of this name makes its folder a skill. One in other letters, or that cannot be read, does too: then that is reported. */
export function isSkillFile(name: string): boolean {
  return ["skill.json", "skill.md"].includes(name.toLowerCase()) || promptNames.includes(name);
}

function isFolderEntry(dir: string, entry: Dirent): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(dir, entry.name)));
}
