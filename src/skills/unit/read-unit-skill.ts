import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { JsonFile } from "../json-file.ts";
import type { SkillFacts } from "../skill-facts.ts";
import type { SkillFolder } from "../skill-folder.ts";

/** What the `skill.json` of a skill that is called says; null where the skill cannot be loaded. */
export async function readUnitSkill(
  _folder: SkillFolder,
  _manifest: JsonFile,
  _diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  return null;
}
