import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseJsonText, readTextFile } from "../../shared/files/read-text-file.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { parseLocatedYaml } from "../../shared/json/located-yaml.ts";
import { UserError } from "../../shared/user-error.ts";

/** A skill that cases lie in, with the name they know it by. */
export interface EnclosingSkill {
  dir: string;
  name: string;
}

/** Tests lie in the folder of a skill, in `evals/`, or one deeper. */
const maxSteps = 3;

/** The skill whose folder a folder is, or lies in; null where it lies in none. */
export async function enclosingSkill(folder: string): Promise<EnclosingSkill | null> {
  let dir = folder;
  for (let step = 0; step < maxSteps; step++) {
    const file = describingFileIn(dir);
    if (file !== null) return { dir, name: (await nameIn(join(dir, file))) ?? basename(dir) };
    if (dirname(dir) === dir) return null;
    dir = dirname(dir);
  }
  return null;
}

const describing = ["skill.json", "skill.md", "system.md", "system.txt", "system.docx"];

/** The file that makes a folder a skill, the most specific first. */
export function describingFileIn(dir: string): string | null {
  const names = namesIn(dir);
  for (const wanted of describing) {
    const found = names.find((name) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

const capBytes = 4 * 1024 * 1024;

/** What it calls itself; null where that is unknown, which the reader of skills reports. */
async function nameIn(file: string): Promise<string | null> {
  try {
    if (file.endsWith(".docx")) return null;
    const text = readTextFile(file, { code: "skill-invalid", capBytes });
    if (!file.toLowerCase().endsWith("skill.json")) return await nameInFrontmatter(text);
    const manifest = parseJsonText(text, "skill-invalid", file);
    if (!isMap(manifest)) return null;
    return textOr(isMap(manifest.meta) ? manifest.meta.id : manifest.id);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

async function nameInFrontmatter(text: string): Promise<string | null> {
  const block = /^---\r?\n/.test(text) ? text.slice(text.indexOf("\n") + 1) : "";
  const end = block.search(/^---[ \t]*\r?$/m);
  if (end === -1) return null;
  const read = await parseLocatedYaml(block.slice(0, end), { scalars: "strings", depth: 8, aliases: 0 });
  const value = read.ok ? read.value : read.remains?.value;
  return isMap(value) ? textOr(value.name) : null;
}

function textOr(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
