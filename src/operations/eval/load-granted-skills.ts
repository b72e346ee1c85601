import { isClosed, onlyGranted } from "../../engine/granted.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { UserError } from "../../shared/user-error.ts";
import { loadSkills } from "../../skills/targets/load-skills.ts";
import { skillAsks } from "../../skills/unit/skill-asks.ts";
import type { PlanOptions } from "./request.ts";

/** The named skills. One that asks for what nobody granted ends the run, or is left out. */
export async function loadGrantedSkills(options: PlanOptions, context: RunContext) {
  const loaded = await loadSkills(options.skills, { cwd: options.cwd, exclude: context.exclude });
  if (loaded.skills.length === 0)
    throw new UserError("nothing-to-do", "no skills given", { hint: "pass skills with --skills <paths...>" });
  const closed = isClosed(options);
  const { kept, left } = onlyGranted(loaded.skills, ({ skill }) => skillAsks(skill, closed), context);
  const skipped = left.map(({ item, reason }) => ({
    level: unitLevel.name,
    suite: null,
    skillId: item.skill.id,
    caseId: null,
    reason,
  }));
  return { ...loaded, skills: kept, skipped };
}
