import type { SkillReport } from "../src/contract/report.ts";
import type { SortOrder } from "./sort-header.tsx";

export type SkillColumn =
  | "plan"
  | "skill"
  | "completion"
  | "errorRate"
  | "p95"
  | "composite"
  | "flake"
  | "consistency";

const names = new Intl.Collator("en", { numeric: true });
const figures: Record<Exclude<SkillColumn, "plan" | "skill">, (skill: SkillReport) => number | null> = {
  completion: ({ summary }) => summary.completionRate,
  errorRate: ({ summary }) => summary.errorRate,
  p95: ({ latency }) => latency.p95Ms,
  composite: ({ summary }) => summary.compositeScore,
  flake: ({ summary }) => summary.flakeRate,
  consistency: ({ summary }) => summary.consistencyScore,
};

/** Skills in the order asked for; what is not known comes last either way. */
export function sortSkills<Skill extends SkillReport>(
  skills: readonly Skill[],
  { by, isDescending }: SortOrder<SkillColumn>,
): readonly Skill[] {
  if (by === "plan") return skills;
  const sign = isDescending ? -1 : 1;
  if (by === "skill") return [...skills].sort((a, b) => sign * names.compare(a.skillId, b.skillId));
  const figure = figures[by];
  return [...skills].sort((a, b) => compareKnown(figure(a), figure(b), sign));
}

/** Compares two figures, of which either may be unknown. */
export function compareKnown(a: number | null, b: number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a - b);
}
