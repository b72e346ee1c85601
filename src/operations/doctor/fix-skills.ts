import { setImmediate as otherWork } from "node:timers/promises";
import type { FixedSkill } from "../../contract/fix.ts";
import type { SkillKind } from "../../contract/skill-kind.ts";
import { planFixes } from "../../lint/fix/plan-fixes.ts";
import { writeFixes } from "../../lint/fix/write-fixes.ts";
import { describeFound, facesOf } from "../../skills/describe-found.ts";
import { foldersToExamine, type WhereToLook } from "./folders-to-examine.ts";
import { matchesKinds } from "./matches-kinds.ts";

export interface FixRequest extends WhereToLook {
  /** Which kinds are fixed; none means all. */
  kinds: readonly SkillKind[];
}

/** Fixes in skills what can be fixed without asking anybody, and says what was written. */
export async function fixSkills(request: FixRequest): Promise<FixedSkill[]> {
  const fixed: FixedSkill[] = [];
  for (const found of await foldersToExamine(request)) {
    const described = await describeFound(found, "lenient");
    await otherWork(); // a signal has to be heard between two of thousands
    if (!matchesKinds(facesOf(described), request.kinds)) continue;
    const { folder } = described;
    const plan = await planFixes(folder);
    if (plan.length > 0) fixed.push({ folder: found.shown, ...writeFixes(folder, plan) });
  }
  return fixed.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}
