import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { SkillFacts } from "../skill-facts.ts";
import type { SkillFolder } from "../skill-folder.ts";

/** What the frontmatter of a `SKILL.md` says; null where the skill cannot be loaded. */
export async function readAgentSkill(
  _folder: SkillFolder,
  _file: string,
  _diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  return null;
}
