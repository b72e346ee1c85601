import { notLoadedLines } from "../../contract/not-loaded.ts";
import { isClosed, leaveUngranted } from "../../engine/granted.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { UserError } from "../../shared/user-error.ts";
import { type LoadedSkill, loadSkills } from "../../skills/targets/load-skills.ts";
import { skillAsks } from "../../skills/unit/skill-asks.ts";
import type { PlanOptions } from "./request.ts";

/** The named skills, and what they ask for; without those that are left out because nobody granted it. */
export async function loadGrantedSkills(options: PlanOptions, context: RunContext) {
  const loaded = await loadSkills(options.skills, { cwd: options.cwd, exclude: context.exclude });
  const [first] = loaded.notLoaded;
  if (loaded.skills.length === 0 && first !== undefined)
    throw new UserError(
      "skill-invalid",
      [...notLoadedLines(loaded.notLoaded), ...loaded.warnings].join("; "),
      {
        path: first.path,
        hint: `\`eval-skills doctor ${first.path}\` shows what is wrong`,
      },
    );
  if (loaded.skills.length === 0)
    throw new UserError("nothing-to-do", "no skills given", { hint: "pass skills with --skills <paths...>" });
  return { ...loaded, ...grantedSkills(loaded.skills, options, context) };
}

/** Of these skills those that may run, what they ask for, and those that are left out because nobody granted it. */
export function grantedSkills(skills: readonly LoadedSkill[], options: PlanOptions, context: RunContext) {
  const closed = isClosed(options);
  const { kept, asks, left } = leaveUngranted(skills, ({ skill }) => skillAsks(skill, closed), context);
  const skipped = left.map(({ item, reason }) => ({
    level: unitLevel.name,
    suite: null,
    skillId: item.skill.id,
    caseId: null,
    reason,
  }));
  return { skills: kept, asks, skipped };
}
