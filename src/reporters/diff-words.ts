import { countOf } from "../base/count-of.ts";
import type { DiffVerdict, MetricName, ReportDiff, SkillDiff } from "../contract/diff.ts";
import { triggeringSuite } from "../contract/trigger-report.ts";

export const verdictMarks: Record<DiffVerdict, string> = { regressed: "✗", improved: "✓", inconclusive: "=" };

/** All verdicts in one sentence of plain text: `1 skill regressed, 2 improved, 1 inconclusive, 1 removed`. */
export function describeDiff({ skills, added, removed }: ReportDiff): string {
  const counts: [number, string][] = [
    [countVerdicts(skills, "regressed"), "regressed"],
    [removed.length, "removed"],
    [countVerdicts(skills, "improved"), "improved"],
    [countVerdicts(skills, "inconclusive"), "inconclusive"],
    [added.length, "added"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word], at) => `${at === 0 ? countOf(count, "skill") : count} ${word}`)
    .join(", ");
}

/** A skill's id, with the one it had before where that was another. */
export function diffName({ skillId, skillIdA }: SkillDiff): string {
  return skillIdA === undefined ? skillId : `${skillIdA} → ${skillId}`;
}

/** The figure that stands for a skill where there is room for one, and the one beside it. */
export function mainMetrics({ benchmarkId }: SkillDiff): readonly [MetricName, MetricName] {
  return benchmarkId === triggeringSuite ? ["passRate", "mcc"] : ["completionRate", "compositeScore"];
}

function countVerdicts(skills: readonly SkillDiff[], verdict: DiffVerdict): number {
  return skills.filter((skill) => skill.verdict === verdict).length;
}
