import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { SkillSource } from "../../contract/skill.ts";
import { UserError } from "../../shared/user-error.ts";
import { discoverSkills, type FoundFolder } from "../../skills/discover/discover-skills.ts";
import { holdsSkill } from "../../skills/discover/scan-folders.ts";
import { skillRoots } from "../../skills/discover/skill-roots.ts";

/** A folder whose children are skills, or a skill itself. Of two skills with one name, the one in the first root wins. */
export interface SkillRoot {
  source: SkillSource;
  /** Absolute. */
  path: string;
}

/** Where skills are looked for by default: those of the project and ours, never the user's own. */
export function defaultSkillRoots(roots: readonly string[], projectRoot: string): SkillRoot[] {
  return skillRoots({ cwd: projectRoot, project: roots }).map(({ dir, source }) => ({ path: dir, source }));
}

/** The folders of skills in a root: its children, or itself. */
export async function foldersIn(
  { source, path }: SkillRoot,
  rank: number,
  cwd: string,
): Promise<FoundFolder[]> {
  const dir = resolve(cwd, path);
  const found = (await isSkill(dir))
    ? await discoverSkills({ cwd, paths: [{ path: dir, source }] })
    : await discoverSkills({ cwd, roots: [{ dir, source, rank }], whenUnreadable: "keep" });
  return found.map((folder) => ({ ...folder, rank }));
}

async function isSkill(dir: string): Promise<boolean> {
  const isThere = statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere && holdsSkill(dir, readdirSync(dir, { withFileTypes: true }));
}

/** The skill folders that were typed. Unlike default folders they must exist. */
export function typedRoots(paths: readonly string[], cwd: string): SkillRoot[] {
  return paths.map((path) => {
    const dir = resolve(cwd, path);
    if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UserError("skill-not-found", `skills folder not found: ${path}`, { path });
    return { source: "project", path: dir };
  });
}
