import { describingFile } from "../contract/describing-file.ts";
import type { DiagnosticPlace } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { readFrontmatter } from "./agent-skill/read-frontmatter.ts";
import { readJsonFile } from "./folder/json-file.ts";
import type { SkillFolder } from "./folder/skill-folder.ts";

/** Where the description of a skill stands, as far as it is known. */
export async function descriptionPlace(skill: DescribedSkill, folder: SkillFolder): Promise<DiagnosticPlace> {
  const file = describingFile(skill);
  if (skill.manifest !== null) {
    const read = readJsonFile(folder, file);
    const steps = skill.kind === "unit" ? ["description"] : ["meta", "description"];
    return read.ok ? read.json.placeOf(steps) : { file };
  }
  if (skill.kind !== "agent-skill") return { file: "meta.yml" };
  const read = await readFrontmatter(folder, file);
  return read.ok ? { file, ...read.frontmatter.placeOf(["description"]) } : { file };
}
