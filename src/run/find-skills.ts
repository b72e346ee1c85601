import { mergeReports } from "../aggregate/merge-reports.ts";
import type { FoundSkill } from "../contract/found-skill.ts";
import type { RunHistory } from "../contract/store.ts";
import { listSkills, type SkillProblem } from "../skills/list-skills.ts";
import { matchSkills, type SkillQuery } from "../skills/match-skills.ts";
import { readDocument } from "../spec/read-document.ts";
import { newestReports } from "./stored-reports.ts";

export interface FindRequest extends SkillQuery {
  cwd: string;
  skillsDir: string;
  /** The least historical completion rate. */
  minCompletion?: number | undefined;
}

export interface FoundSkills {
  /** All that fit, the best first. */
  skills: FoundSkill[];
  problems: SkillProblem[];
  warnings: string[];
  /** How many fit but for `minCompletion`, which nothing is known about. */
  withoutHistory: number;
}

/** Looks for skills in a folder and ranks them: by words where words were asked for, else by how they did before. */
export async function findSkills(request: FindRequest, history: RunHistory | null): Promise<FoundSkills> {
  const { cwd, skillsDir, minCompletion } = request;
  const { skills, problems, warnings } = await listSkills(skillsDir, { cwd, readDocument });
  const known = mergeReports(history === null ? [] : newestReports(history));
  const found = matchSkills(skills, request).map(
    ({ skill, relevance }): FoundSkill => ({
      ...skill,
      relevance,
      completionRate: known.get(skill.id)?.metrics.completionRate ?? null,
    }),
  );
  const rank = request.query === undefined ? byCompletion : byRelevance;
  const ranked = found.sort(rank);
  if (minCompletion === undefined) return { skills: ranked, problems, warnings, withoutHistory: 0 };
  return {
    skills: ranked.filter(({ completionRate }) => completionRate !== null && completionRate >= minCompletion),
    problems,
    warnings,
    withoutHistory: ranked.filter(({ completionRate }) => completionRate === null).length,
  };
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
