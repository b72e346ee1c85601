import { countOf } from "../base/count-of.ts";
import { suiteOfAgents } from "../contract/agent-report.ts";
import type { DiffVerdict, MetricName, ReportDiff, SkillDiff, SkillName } from "../contract/diff.ts";
import { tableOfBench } from "../contract/planbench-report.ts";
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
    .map(
      ([count, word], at) =>
        `${at === 0 ? countOf(count, subjectNoun([...skills, ...removed, ...added])) : count} ${word}`,
    )
    .join(", ");
}

/** What is compared: skills, suites of agent cases, or tables of a bench. */
export function subjectNoun(names: readonly SkillName[]): "skill" | "suite" | "table" {
  if (names.every(({ benchmarkId }) => suiteOfAgents(benchmarkId) !== null)) return "suite";
  return names.every(({ benchmarkId }) => tableOfBench(benchmarkId) !== null) ? "table" : "skill";
}

/** A skill's id, with the one it had before where that was another. */
export function diffName({ skillId, skillIdA }: SkillDiff): string {
  return skillIdA === undefined ? skillId : `${skillIdA} → ${skillId}`;
}

/**
 * What was compared, in full: `my_calc on coding-easy`, of agent cases `smoke with openai/gpt-5-mini`, of plans `routed
 * cases of plans with openai/gpt-5-mini`.
 */
export function diffTitle(skill: SkillDiff): string {
  return subjectTitle({ skillId: diffName(skill), benchmarkId: skill.benchmarkId });
}

/** The same of what stands in one report only. */
export function subjectTitle({ skillId, benchmarkId }: SkillName): string {
  const suite = suiteOfAgents(benchmarkId);
  const table = tableOfBench(benchmarkId);
  if (table !== null) return `${table.stratum} cases of ${table.bench} with ${skillId}`;
  return suite === null ? `${skillId} on ${benchmarkId}` : `${suite} with ${skillId}`;
}

/** The figure that stands for a skill where there is room for one, and the one beside it. */
export function mainMetrics({ benchmarkId }: SkillDiff): readonly [MetricName, MetricName] {
  if (benchmarkId === triggeringSuite) return ["passRate", "mcc"];
  if (tableOfBench(benchmarkId) !== null) return ["passRate", "ok0Rate"];
  return suiteOfAgents(benchmarkId) === null ? ["completionRate", "compositeScore"] : ["passRate", "recall"];
}

function countVerdicts(skills: readonly SkillDiff[], verdict: DiffVerdict): number {
  return skills.filter((skill) => skill.verdict === verdict).length;
}
