import { describingFile } from "../contract/describing-file.ts";
import { type DiagnosticPlace, Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { readFrontmatter } from "./agent-skill/read-frontmatter.ts";
import { describeSkill } from "./describe-skill.ts";
import { readJsonFile } from "./folder/json-file.ts";
import type { SkillFolder } from "./folder/skill-folder.ts";
import { placeholderIn } from "./placeholder-in.ts";

/** Whether a skill of any kind has a description of its own, also where something else is wrong with it. */
export async function examineDescription(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  if (diagnostics.kind === null) return;
  const described =
    skill ?? (await describeSkill(folder, "project", new Diagnostics("lenient", folder.name)));
  if (described === null || placeholderIn(described.description) === null) return;
  const place = await placeOfDescription(described, folder);
  diagnostics.add("SKD08", place, `${place.file}: description is still the template's`);
}

async function placeOfDescription(skill: DescribedSkill, folder: SkillFolder): Promise<DiagnosticPlace> {
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
