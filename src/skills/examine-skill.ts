import type { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** Looks at what describing a skill leaves alone: its body, links, files, prompt, tools and their scripts. Runs nothing. */
export async function examineSkill(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  for (const examine of examinations) await examine(skill, folder, diagnostics);
}

/** One thing to look at; null where the folder is a skill that cannot be loaded. */
export type Examination = (
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
) => void | Promise<void>;

const examinations: readonly Examination[] = [];
