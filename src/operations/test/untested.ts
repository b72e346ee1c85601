import { join } from "node:path";
import { UserError } from "../../shared/user-error.ts";
import type { Material, SkillMaterial } from "./discover-material.ts";

/** Why a skill is in the report although nothing of it ran. */
export const untested = "untested";

/** The skills that nothing tests. `named`: those that cases of the project are about. */
export function untestedSkills(
  { skills }: Pick<Material, "skills">,
  named: ReadonlySet<string>,
): SkillMaterial[] {
  return skills.filter((skill) => !hasTests(skill) && !named.has(skill.id));
}

export function hasTests({ unit, hasTriggers, querySets, hasCases, benches }: SkillMaterial): boolean {
  return unit.length + querySets.length + benches.length > 0 || hasTriggers || hasCases;
}

/** The error where there is nothing to run. */
export function nothingToTest({ skills, notLoaded }: Material, shown: string): UserError {
  const [first] = notLoaded;
  const [skill] = skills;
  if (skill !== undefined)
    return new UserError("nothing-to-do", `there are skills in ${shown}, but no tests`, {
      hint: `write tasks into ${join(skill.shown, "tests", "basic.eval.json")}`,
    });
  if (first !== undefined)
    return new UserError("skill-invalid", `no skill can be loaded: ${first.reason}`, {
      path: first.path,
      hint: `\`eval-skills doctor ${first.path}\` shows what is wrong`,
    });
  return new UserError("nothing-to-do", `there are no skills and no tests in ${shown}`, {
    hint: "create a skill with `eval-skills create --name my_skill`, or pass the folder of your skills",
  });
}
