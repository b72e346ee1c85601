import type { SkillReport } from "../contract/report.ts";

/** Best composite first, at full precision; unknown ones last, equal ones by id. */
export function rankReports(reports: readonly SkillReport[]): SkillReport[] {
  return [...reports].sort((a, b) => byComposite(a, b) || byId(a, b));
}

function byComposite(a: SkillReport, b: SkillReport): number {
  const [left, right] = [a.summary.compositeScore, b.summary.compositeScore];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return right - left;
}

function byId(a: SkillReport, b: SkillReport): number {
  if (a.skillId === b.skillId) return 0;
  return a.skillId < b.skillId ? -1 : 1;
}
