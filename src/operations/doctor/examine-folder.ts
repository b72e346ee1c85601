import type { Profile } from "../../contract/diagnostic.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import type { TokenCosts } from "../../contract/token-costs.ts";
import { examineSkill } from "../../lint/examine-skill.ts";
import { describeFound, facesOf } from "../../skills/describe-found.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import type { FoundFolder } from "../../skills/discover/discover-skills.ts";
import { tokenCosts } from "../../skills/tokens/token-costs.ts";
import type { ExaminedSkill } from "./doctor-report.ts";

/** A folder that was looked at, before it is held against the others. */
export interface ExaminedFolder {
  found: FoundFolder;
  /** What a run would load, whatever the profile; null where nothing can be. */
  skill: DescribedSkill | null;
  tokens: TokenCosts | null;
  diagnostics: Diagnostics;
}

/** Looks at one folder. */
export async function examineFolder(found: FoundFolder, profile: Profile): Promise<ExaminedFolder> {
  const { folder, isSkill, skill: described, diagnostics } = await describeFound(found, profile);
  if (isSkill) await examineSkill(described, folder, diagnostics);
  // A skill with errors still has an id that others may not have, costs tokens, and may have two faces.
  const asRunsDo = () => describeSkill(folder, found.source, new Diagnostics("lenient", folder.name));
  const skill = diagnostics.isStrict && diagnostics.hasErrors() ? await asRunsDo() : described;
  if (skill !== null) diagnostics.skill = skill.id;
  const tokens = skill === null ? null : await tokenCosts(skill, folder);
  return { found, skill, tokens, diagnostics };
}

/** What was found in a folder, for a report. */
export function examinedSkill({ found, skill, tokens, diagnostics }: ExaminedFolder): ExaminedSkill {
  const list = diagnostics.list();
  const { kind, skill: id, unlisted } = diagnostics;
  return {
    id,
    kind,
    faces: facesOf({ skill, diagnostics }),
    folder: found.shown,
    source: found.source,
    tokens,
    errors: list.filter(({ severity }) => severity === "error").length,
    warnings: list.filter(({ severity }) => severity === "warning").length,
    diagnostics: list,
    unlisted,
  };
}
