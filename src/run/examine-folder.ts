import type { Profile } from "../contract/diagnostic.ts";
import { Diagnostics } from "../contract/diagnostics.ts";
import type { ExaminedSkill } from "../contract/doctor-report.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import type { TokenCosts } from "../contract/token-costs.ts";
import { describeSkill } from "../skills/describe-skill.ts";
import { examineSkill } from "../skills/examine-skill.ts";
import { SkillFolder } from "../skills/skill-folder.ts";
import { tellNoSkill } from "../skills/tell-no-skill.ts";
import { tokenCosts } from "../skills/token-costs.ts";
import type { FolderToExamine } from "./folders-to-examine.ts";

/** A folder that was looked at, before it is held against the others. */
export interface Examination {
  found: FolderToExamine;
  /** What a run would load, whatever the profile; null where nothing can be. */
  skill: DescribedSkill | null;
  tokens: TokenCosts | null;
  diagnostics: Diagnostics;
}

/** Looks at one folder; null where nobody named it and it is no skill. */
export async function examineFolder(found: FolderToExamine, profile: Profile): Promise<Examination | null> {
  const folder = new SkillFolder(found.dir, found.manifestFile);
  const diagnostics = new Diagnostics(profile, folder.name);
  const described = await describeSkill(folder, found.source, diagnostics);
  const isSkill = diagnostics.kind !== null || diagnostics.list().length > 0;
  if (!isSkill && !found.isNamed && found.unreadable === undefined) return null;
  if (!isSkill) await tellNoSkill(folder, found, diagnostics);
  else await examineSkill(described, folder, diagnostics);
  const skill = described ?? (await asRunsDo(folder, found));
  if (skill !== null) diagnostics.skill = skill.id;
  const tokens = skill === null ? null : await tokenCosts(skill, folder);
  return { found, skill, tokens, diagnostics };
}

/** What was found in a folder, for a report. */
export function examinedSkill({ found, skill, tokens, diagnostics }: Examination): ExaminedSkill {
  const list = diagnostics.list();
  const { kind, skill: id, unlisted } = diagnostics;
  return {
    id,
    kind,
    faces: skill?.faces ?? (kind === null ? [] : [kind]),
    folder: found.shown,
    source: found.source,
    tokens,
    errors: list.filter(({ severity }) => severity === "error").length,
    warnings: list.filter(({ severity }) => severity === "warning").length,
    diagnostics: list,
    unlisted,
  };
}

/** A skill with errors still has an id that others may not have, and costs tokens. */
function asRunsDo(folder: SkillFolder, { source }: FolderToExamine): Promise<DescribedSkill | null> {
  return describeSkill(folder, source, new Diagnostics("lenient", folder.name));
}
