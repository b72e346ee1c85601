import { setImmediate as otherWork } from "node:timers/promises";
import type { FixedSkill } from "../contract/fix.ts";
import type { SkillKind } from "../contract/skill-kind.ts";
import { describeFound, facesOf } from "../skills/describe-found.ts";
import { planFixes } from "../skills/fix/plan-fixes.ts";
import { writeFixes } from "../skills/fix/write-fixes.ts";
import { foldersToExamine, type WhereToLook } from "./folders-to-examine.ts";
import { isAsked } from "./is-asked.ts";

export interface FixRequest extends WhereToLook {
  /** Which kinds are mended; none means all. */
  kinds: readonly SkillKind[];
}

/** Mends in skills what can be mended without asking anybody, and tells what was written. */
export async function fixSkills(request: FixRequest): Promise<FixedSkill[]> {
  const fixed: FixedSkill[] = [];
  for (const found of await foldersToExamine(request)) {
    const described = await describeFound(found, "lenient");
    await otherWork(); // a signal has to be heard between two of thousands
    if (!isAsked(facesOf(described), request.kinds)) continue;
    const { folder } = described;
    const plan = await planFixes(folder);
    if (plan.length > 0) fixed.push({ folder: found.shown, ...writeFixes(folder, plan) });
  }
  return fixed.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}
