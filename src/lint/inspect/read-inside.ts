import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { parseStrictJson, type StrictJson } from "../../shared/json/strict-json.ts";
import { readPlainFile } from "../../skills/folder/plain-file.ts";
import { longestPath } from "../../skills/folder/skill-folder.ts";
import { type FolderEntry, readable, walkFolder } from "../../skills/folder/walk-folder.ts";

const longestText = 4 * 1024 * 1024;
const longestJson = 16 * 1024 * 1024;

/** Everything in the folder of a skill that its digest counts. */
export function listEntries(skill: UnitSkill): FolderEntry[] {
  return [...walkFolder(skill.dir, { ignore: skill.metadata.digestIgnore ?? [], exclude: [] })];
}

/** The real path of a plain file in the folder, or null where it is missing or leads out. */
export function fileInside(dir: string, path: string): string | null {
  if (path.length > longestPath) return null;
  const absolute = realPath(resolve(dir, path));
  if (!isInside(realPath(dir), absolute)) return null;
  try {
    return lstatSync(absolute).isFile() ? absolute : null;
  } catch {
    return null;
  }
}

/** The text of a file in the folder, or null where there is none that a person could read. */
export function readInside(dir: string, path: string): string | null {
  const absolute = fileInside(dir, path);
  if (absolute === null || lstatSync(absolute).size > longestText) return null;
  const content = readable(absolute, () => readPlainFile(absolute));
  return isUtf8(content) ? content.toString("utf8").replace(/^\ufeff/, "") : null;
}

/** The value of a JSON file. */
export function readJson(absolute: string): StrictJson | { ok: false; problem: string } {
  const content = readable(absolute, () => readPlainFile(absolute));
  if (content.length > longestJson) return { ok: false, problem: "longer than 16 MiB" };
  return parseStrictJson(content.toString("utf8"));
}
