import type { SkillDiff } from "../../contract/diff.ts";
import { holm } from "../../shared/statistics/family-wise.ts";
import { decisionLevel } from "../../shared/statistics/paired-test.ts";
import { pluralize } from "../../shared/text/phrases.ts";

/** What of a skill the correction may change, and what it goes by. */
type Judged = Pick<SkillDiff, "verdict" | "decidedBy" | "reason" | "main" | "metrics"> & {
  paired: Pick<SkillDiff["paired"], "p">;
};

/**
 * Holm's correction over all skills: among many, some verdict would be false by chance. What no longer counts becomes
 * inconclusive. What the user declared with `--strict` is certain and stays.
 */
export function correctVerdicts<Verdict extends Judged>(
  skills: readonly Verdict[],
  isFamilyWise: boolean,
): Verdict[] {
  if (!isFamilyWise) return [...skills];
  const tested = skills.filter(({ verdict }) => verdict !== "not-comparable");
  const corrected = holm(tested.map(({ paired }) => paired.p ?? 1));
  const pValues = new Map(tested.map((skill, at) => [skill, corrected[at] ?? 1]));
  return skills.map((skill) => {
    const p = pValues.get(skill) ?? 1;
    const { decidedBy, main, metrics } = skill;
    if (decidedBy === null || decidedBy === "strict" || p <= decisionLevel) return skill;
    const row = metrics[main];
    return {
      ...skill,
      verdict: "inconclusive",
      decidedBy: null,
      reason: `could be chance: among ${pluralize(tested.length, "verdict")}, p = ${p.toFixed(3)} after Holm's correction`,
      metrics: { ...metrics, ...(row && { [main]: { ...row, sense: "no-difference-found" as const } }) },
    };
  });
}
