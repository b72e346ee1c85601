import type { Profile } from "../contract/diagnostic.ts";
import { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import type { SkillKind } from "../contract/skill-kind.ts";
import { describeSkill } from "./describe-skill.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { SkillFolder } from "./folder/skill-folder.ts";
import { reportNoSkill } from "./report-no-skill.ts";

/** A folder that was found, and what its files say. */
export interface DescribedFolder {
  found: FoundFolder;
  folder: SkillFolder;
  /** Whether it was meant as a skill, whatever is wrong with it. */
  isSkill: boolean;
  /** Null where it cannot be loaded. */
  skill: DescribedSkill | null;
  /** Whoever looks further adds to them. */
  diagnostics: Diagnostics;
}

/** Reads a folder that was found; one that is no skill is reported so. */
export async function describeFound(found: FoundFolder, profile: Profile): Promise<DescribedFolder> {
  const folder = new SkillFolder(found.dir, found.manifestFile);
  const diagnostics = new Diagnostics(profile, folder.name);
  const skill = await describeSkill(folder, found.source, diagnostics);
  // A folder of no kind is no skill; a manifest of no kind is reported already.
  const isSkill = diagnostics.kind !== null || diagnostics.hasErrors();
  if (!isSkill) await reportNoSkill(folder, found, diagnostics);
  return { found, folder, isSkill, skill, diagnostics };
}

/** What a folder can be used as, also where it cannot be loaded; nothing where it is of no known kind. */
export function facesOf({
  skill,
  diagnostics: { kind },
}: Pick<DescribedFolder, "skill" | "diagnostics">): readonly SkillKind[] {
  return skill?.faces ?? (kind === null ? [] : [kind]);
}
