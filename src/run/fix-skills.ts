import { setImmediate as otherWork } from "node:timers/promises";
import { Diagnostics } from "../contract/diagnostics.ts";
import type { FixedSkill } from "../contract/fix.ts";
import type { SkillKind } from "../contract/skill-kind.ts";
import { describeSkill } from "../skills/describe-skill.ts";
import { planFixes } from "../skills/fix/plan-fixes.ts";
import { writeFixes } from "../skills/fix/write-fixes.ts";
import { SkillFolder } from "../skills/skill-folder.ts";
import { foldersToExamine, type WhereToLook } from "./folders-to-examine.ts";

export interface FixRequest extends WhereToLook {
  /** Which kinds are mended; none means all. */
  kinds: readonly SkillKind[];
}

/** Mends in skills what can be mended without asking anybody, and tells what was written. */
export async function fixSkills(request: FixRequest): Promise<FixedSkill[]> {
  const fixed: FixedSkill[] = [];
  for (const { dir, manifestFile, shown } of await foldersToExamine(request)) {
    const folder = new SkillFolder(dir, manifestFile);
    await otherWork(); // a signal has to be heard between two of thousands
    if (!(await isAsked(folder, request.kinds))) continue;
    const plan = await planFixes(folder);
    if (plan.length > 0) fixed.push({ folder: shown, ...writeFixes(folder, plan) });
  }
  return fixed.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

async function isAsked(folder: SkillFolder, kinds: readonly SkillKind[]): Promise<boolean> {
  if (kinds.length === 0) return true;
  const diagnostics = new Diagnostics("lenient", folder.name);
  const skill = await describeSkill(folder, "project", diagnostics);
  const faces = skill?.faces ?? (diagnostics.kind === null ? [] : [diagnostics.kind]);
  return faces.some((face) => kinds.includes(face));
}
