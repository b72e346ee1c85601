import { join } from "node:path";
import type { DescribedSkill } from "../contract/skill.ts";
import type { ListedSkill } from "../contract/skill-facts.ts";
import type { ErrorCode } from "../shared/user-error.ts";
import { type ReadFolder, readFound } from "./describe-found.ts";
import { type Discovery, discoverSkills } from "./discover/discover-skills.ts";
import { duplicateIds } from "./discover/resolve-duplicates.ts";
import { findingErrorCode, findingLine } from "./finding-words.ts";
import { isInstructions } from "./folder/skill-files.ts";

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
  for (const found of await discoverSkills({ paths: [folder], ...options })) {
    const read = await readFound(found);
    list.problems.push(...listProblems(read));
    list.warnings.push(...warningLines(read));
    if (read.skill !== null) list.skills.push(listedSkill(read.skill, read));
  }
  for (const { skill, message } of duplicateIds(list.skills))
    list.problems.push({ code: "skill-duplicate", path: skill.path, message, isListed: true });
  return list;
}

/** Unknown keys of a manifest. The quality of instructions is left to `doctor`: it would swamp a list. */
function warningLines({ warnings, found }: ReadFolder): string[] {
  return warnings
    .filter(({ kind, file }) => kind === "unit" && !isInstructions(file))
    .map((finding) => findingLine(finding, found.shown));
}

function listProblems({ errors, found: { dir, shown }, skill }: ReadFolder): SkillProblem[] {
  return errors.map((error) => ({
    code: findingErrorCode(error),
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
