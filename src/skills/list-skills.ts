import type { DocumentReader } from "../contract/document.ts";
import type { ListedSkill } from "../contract/found-skill.ts";
import { type ErrorCode, UserError } from "../contract/user-error.ts";
import { findSkillFiles } from "./find-manifests.ts";
import { readListedSkill } from "./read-listed-skill.ts";

/** A skill that could not be listed as it stands, and why. */
export interface SkillProblem {
  code: ErrorCode;
  path: string;
  message: string;
}

export interface SkillList {
  skills: ListedSkill[];
  problems: SkillProblem[];
  warnings: string[];
}

/** Every skill below a folder, of all three kinds, in the order of their paths. A broken one hides no other. */
export async function listSkills(
  folder: string,
  { cwd, readDocument }: { cwd: string; readDocument: DocumentReader },
): Promise<SkillList> {
  const list: SkillList = { skills: [], problems: [], warnings: [] };
  const byId = new Map<string, ListedSkill>();
  for (const path of findSkillFiles(folder, cwd)) {
    try {
      const skill = await readListedSkill(path, readDocument, list.warnings);
      const twin = byId.get(skill.id);
      if (twin === undefined) byId.set(skill.id, skill);
      else
        list.problems.push({
          code: "skill-duplicate",
          path,
          message: `the id ${skill.id} stands in ${twin.path} and in ${path}`,
        });
      list.skills.push(skill);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      list.problems.push({ code: error.code, path: error.path ?? path, message: error.message });
    }
  }
  return list;
}
