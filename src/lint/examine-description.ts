import { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { describeSkill } from "../skills/describe-skill.ts";
import { descriptionPlace } from "../skills/description-place.ts";
import { placeholderIn } from "../skills/folder/placeholder-in.ts";
import type { SkillFolder } from "../skills/folder/skill-folder.ts";

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
  const place = await descriptionPlace(described, folder);
  diagnostics.add("SKD08", place, `${place.file}: description is still the template's placeholder`);
}
