import { join } from "node:path";
import type { ListedSkill } from "../contract/found-skill.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import type { ErrorCode } from "../contract/user-error.ts";
import { type Discovery, discoverSkills } from "./discover-skills.ts";
import { errorCodeOf, findingLine, isInstructions } from "./finding-words.ts";
import { type ReadFolder, readFound } from "./read-found.ts";

/** Something wrong with a skill that was found. */
export interface SkillProblem {
  code: ErrorCode;
  path: string;
  message: string;
  /** Whether the skill is listed all the same. */
  isListed: boolean;
}

export interface SkillList {
  skills: ListedSkill[];
  problems: SkillProblem[];
  warnings: string[];
}

/** Every skill below a folder, of all three kinds, in the order of their paths. A broken one hides no other. */
export async function listSkills(
  folder: string,
  options: Pick<Discovery, "cwd" | "whenUnreadable">,
): Promise<SkillList> {
  const list: SkillList = { skills: [], problems: [], warnings: [] };
  const byId = new Map<string, ListedSkill>();
  for (const found of await discoverSkills({ paths: [folder], ...options })) {
    const read = await readFound(found);
    list.problems.push(...problemsOf(read));
    list.warnings.push(...warningsOf(read));
    if (read.skill === null) continue;
    const skill = listedSkill(read.skill, read);
    const twin = byId.get(skill.id);
    if (twin === undefined) byId.set(skill.id, skill);
    else
      list.problems.push({
        code: "skill-duplicate",
        path: skill.path,
        message: `the id ${skill.id} stands in ${twin.path} and in ${skill.path}`,
        isListed: true,
      });
    list.skills.push(skill);
  }
  return list;
}

/** What nobody reads in a manifest. How well instructions are written is a matter of `doctor`: a list would drown in it. */
function warningsOf({ warnings, found }: ReadFolder): string[] {
  return warnings
    .filter(({ kind, file }) => kind === "unit" && !isInstructions(file))
    .map((finding) => findingLine(finding, found.shown));
}

function problemsOf({ errors, found: { dir, shown }, skill }: ReadFolder): SkillProblem[] {
  return errors.map((error) => ({
    code: errorCodeOf(error),
    path: join(dir, error.file),
    message: findingLine(error, shown),
    isListed: skill !== null,
  }));
}

function listedSkill(skill: DescribedSkill, { found: { dir }, folder }: ReadFolder): ListedSkill {
  const { id, aliases, name, version, kind, adapter, tags, description, manifest, instructions } = skill;
  const file = manifest === null ? (instructions?.path ?? "") : folder.manifestName;
  const adapterType = adapter?.type ?? null;
  return { id, aliases, name, version, kind, adapterType, tags, description, path: join(dir, file), dir };
}
