import { Diagnostics } from "../contract/diagnostics.ts";
import type { Profile } from "../contract/findings.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { describeFound } from "../skills/describe-found.ts";
import { describeSkill } from "../skills/describe-skill.ts";
import type { FoundFolder } from "../skills/discover/discover-skills.ts";
import { readSidecar, type Sidecar } from "../skills/folder/sidecar.ts";
import type { FileText, SkillFolder } from "../skills/folder/skill-folder.ts";
import { examineSkill } from "./examine-skill.ts";

/** A folder that was examined by itself. */
export interface ExaminedFolder {
  found: FoundFolder;
  folder: SkillFolder;
  /** What a run would load, whatever the profile; null where it cannot be loaded. */
  skill: DescribedSkill | null;
  diagnostics: Diagnostics;
}

/** Examines a folder by itself, whatever it is. Nothing is run or written. */
export async function examineFound(found: FoundFolder, profile: Profile): Promise<ExaminedFolder> {
  const { folder, isSkill, skill: described, diagnostics } = await describeFound(found, profile);
  if (isSkill) await examineSkill(described, folder, diagnostics);
  // A skill with errors still has an id, costs tokens, and may be of two kinds.
  const describeLeniently = () =>
    describeSkill(folder, found.source, new Diagnostics("lenient", folder.name));
  const skill = diagnostics.isStrict && diagnostics.hasErrors() ? await describeLeniently() : described;
  if (skill !== null) diagnostics.skill = skill.id;
  return { found, folder, skill, diagnostics };
}

/** Checks the trigger tests of a skill. What they look like is known to their level. */
export type TriggeringCheck = (
  subject: {
    skill: DescribedSkill;
    readFile: (path: string) => FileText;
    siblings: ReadonlySet<string> | null;
    sidecar: Sidecar | null;
  },
  diagnostics: Diagnostics,
) => Promise<unknown>;

/** Whether a folder has a file that may hold trigger tests. */
export function hasEvalFile(folder: SkillFolder): boolean {
  return folder.names().includes("eval.yaml");
}

/** Checks the trigger tests of a skill that was examined; `siblings` are the names its queries may refer to. */
export async function examineTriggering(
  { skill, folder, diagnostics }: ExaminedFolder & { skill: DescribedSkill },
  siblings: ReadonlySet<string> | null,
  check: TriggeringCheck,
): Promise<void> {
  const sidecar = await readSidecar(folder);
  await check({ skill, readFile: (path) => folder.text(path), siblings, sidecar }, diagnostics);
}
