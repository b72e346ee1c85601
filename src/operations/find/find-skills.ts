import { basename } from "node:path";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { FoundSkill, ShownSkill, TokenCosts } from "../../contract/skill-facts.ts";
import type { RunHistory } from "../../contract/store.ts";
import { UserError } from "../../shared/user-error.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { listSkills, type SkillProblem } from "../../skills/list-skills.ts";
import { matchSkills, type SkillQuery } from "../../skills/match-skills.ts";
import { tokenCosts } from "../../skills/tokens/token-costs.ts";
import { changedCases, mergeReports, newestReports } from "../select/merge-reports.ts";

interface FindRequest extends SkillQuery {
  cwd: string;
  skillsDir: string;
  /** The minimum completion rate of earlier runs. */
  minCompletion?: number | undefined;
}

export interface FoundSkills {
  /** All that fit, the best first. */
  skills: FoundSkill[];
  problems: SkillProblem[];
  warnings: string[];
  /** How many match but have no completion rate to compare with `minCompletion`. */
  withoutHistory: number;
}

/** Finds the skills in a folder and ranks them: by relevance where there is a query, else by earlier results. */
export async function findSkills(request: FindRequest, history: RunHistory | null): Promise<FoundSkills> {
  const { cwd, skillsDir, minCompletion } = request;
  const { skills, problems, warnings } = await listSkills(skillsDir, {
    cwd,
    whenUnreadable: "keep",
  });
  const known = mergeReports(history === null ? [] : await newestReports(history));
  const found = matchSkills(skills, request).map(
    ({ skill, relevance }): FoundSkill => ({
      ...skill,
      relevance,
      completionRate: known.get(skill.id)?.metrics.completionRate ?? null,
    }),
  );
  const changed = changedCases(
    found.map(({ id }) => id),
    known,
  );
  const rank = request.query === undefined ? byCompletion : byRelevance;
  const ranked = found.sort(rank);
  const told = [...warnings, ...changed];
  if (minCompletion === undefined) return { skills: ranked, problems, warnings: told, withoutHistory: 0 };
  return {
    skills: ranked.filter(({ completionRate }) => completionRate !== null && completionRate >= minCompletion),
    problems,
    warnings: told,
    withoutHistory: ranked.filter(({ completionRate }) => completionRate === null).length,
  };
}

/** What each costs in the context of a model. Counting takes its time, so only those that are shown are counted. */
export function withTokens(skills: readonly FoundSkill[]): Promise<ShownSkill[]> {
  return Promise.all(skills.map(async (found) => ({ ...found, tokens: await tokensIn(found) })));
}

async function tokensIn({ dir, path }: FoundSkill): Promise<TokenCosts | null> {
  const folder = new SkillFolder(dir, path.endsWith(".json") ? basename(path) : undefined);
  const skill = await describeSkill(folder, "project", new Diagnostics("lenient", folder.name));
  return skill === null ? null : tokenCosts(skill, folder);
}

function byRelevance(a: FoundSkill, b: FoundSkill): number {
  return (b.relevance ?? 0) - (a.relevance ?? 0) || byId(a, b);
}

function byCompletion(a: FoundSkill, b: FoundSkill): number {
  return (b.completionRate ?? -1) - (a.completionRate ?? -1) || byId(a, b);
}

/** In code-unit order, which no locale changes. */
function byId(a: FoundSkill, b: FoundSkill): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}

/** A skill that can be called, and its manifest. */
interface CallableSkill {
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
