import { describingFile } from "../contract/describing-file.ts";
import type { DiagnosticLocation } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { readFrontmatter } from "./agent-skill/read-frontmatter.ts";
import { readJsonFile } from "./folder/json-file.ts";
import type { SkillFolder } from "./folder/skill-folder.ts";

/** The location of a skill's description, as far as it is known. */
export async function locateDescription(
  skill: DescribedSkill,
  folder: SkillFolder,
): Promise<DiagnosticLocation> {
  const file = describingFile(skill);
  if (skill.manifest !== null) {
    const read = readJsonFile(folder, file);
    const steps = skill.kind === "unit" ? ["description"] : ["meta", "description"];
    return read.ok ? read.json.locate(steps) : { file };
  }
  if (skill.kind !== "agent-skill") return { file: "meta.yml" };
  const read = await readFrontmatter(folder, file);
  return read.ok ? { file, ...read.frontmatter.locate(["description"]) } : { file };
}

/** Words of templates: of ours, "<name>: describe what it does and when to use it", and of others. */
const placeholders: readonly RegExp[] = [
  /\bdescribe what (?:it|this skill|the skill|your skill) does/i,
  /\blorem ipsum\b/i,
  /\b(?:TODO|TBD|FIXME)(?=:|\W*$)/, // not a "todo list", nor "TODO comments"
  /\[TODO\b/,
  /^(?:(?:your|a|an|the|insert|add|enter|write|brief|short|clear|skill) )*description(?: goes)?(?: here)?\W{0,9}$/i,
  /\breplace (?:this )?with (?:a |your )?description\b/i,
];

/** The words that show that nobody has described the skill yet, or null. */
export function placeholderIn(description: string): string | null {
  const text = description.trim().slice(0, 2000);
  for (const placeholder of placeholders) {
    const found = placeholder.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}
