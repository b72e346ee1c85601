import { basename } from "node:path";
import { UserError } from "../../shared/user-error.ts";
import { listSkills } from "../../skills/list-skills.ts";
import { matchSkills } from "../../skills/match-skills.ts";

/** A skill that can be called, and where its manifest lies. */
export interface CallableSkill {
  id: string;
  manifest: string;
}

/** The skills below a folder that can be called and fit the words. Unlike `find` it passes over no broken `skill.json`. */
export async function findUnitSkills(
  skillsDir: string,
  query: string | undefined,
  cwd: string,
): Promise<CallableSkill[]> {
  const { skills, problems } = await listSkills(skillsDir, { cwd });
  const isManifest = (path: string) => ["skill.json", "adapter.config.json"].includes(basename(path));
  const broken = problems.find(
    ({ code, path, isListed }) => code === "skill-duplicate" || (isManifest(path) && !isListed),
  );
  if (broken !== undefined) throw new UserError(broken.code, broken.message, { path: broken.path });
  const units = skills.filter(({ kind }) => kind === "unit");
  const found = matchSkills(units, { query }).map(({ skill: { id, path } }) => ({ id, manifest: path }));
  if (found.length > 0) return found;
  const what =
    query === undefined ? "no callable skills found" : `no skill matches the query ${JSON.stringify(query)}`;
  throw new UserError("skill-not-found", `${what} in ${skillsDir}`, {
    path: skillsDir,
    hint: `\`eval-skills find --skills-dir ${skillsDir}\` lists all skills`,
  });
}
