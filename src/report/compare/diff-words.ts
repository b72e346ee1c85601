import type { ComparedSubject, DiffVerdict, ReportDiff, SkillDiff } from "../../contract/diff.ts";
import { countOf } from "../../shared/text/count-of.ts";

export const verdictMarks: Record<DiffVerdict, string> = { regressed: "✗", improved: "✓", inconclusive: "=" };

/** A verdict as it is shown: where nothing changed at all, there is nothing to be inconclusive about. */
export function verdictWord({ verdict, paired }: SkillDiff): DiffVerdict | "unchanged" {
  const { tasks, broken, fixed, shifted } = paired;
  const isSame = tasks > 0 && broken.length + fixed.length + shifted.length === 0;
  return verdict === "inconclusive" && isSame ? "unchanged" : verdict;
}

/** All verdicts in one sentence of plain text: `1 skill regressed, 2 improved, 1 unchanged, 1 removed`. */
export function describeDiff({ skills, added, removed }: ReportDiff): string {
  const counts: [number, string][] = [
    [countVerdicts(skills, "regressed"), "regressed"],
    [removed.length, "removed"],
    [countVerdicts(skills, "improved"), "improved"],
    [countVerdicts(skills, "inconclusive"), "inconclusive"],
    [countVerdicts(skills, "unchanged"), "unchanged"],
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

/** What is compared: skills, or suites that a model was tried with. */
export function subjectNoun(names: readonly ComparedSubject[]): "skill" | "suite" {
  return names.length > 0 && names.every(({ skillId }) => skillId === null) ? "suite" : "skill";
}

/** A subject's name, with the one it had before where that was another. */
export function diffName({ name, nameA }: SkillDiff): string {
  return nameA === undefined ? name : `${nameA} → ${name}`;
}

/** What was compared, in full: `my_calc on coding-easy`, `smoke with openai/gpt-5-mini`, `forced cases of quick with mock`. */
export function diffTitle(skill: SkillDiff): string {
  return subjectTitle({ ...skill, name: diffName(skill) });
}

/** The same of what is in one report only. */
export function subjectTitle({ skillId, model, arm, name, suite }: ComparedSubject): string {
  if (skillId !== null) return `${name} on ${suite}`;
  const cases = arm === null || arm === "installed" ? suite : `${arm} cases of ${suite}`;
  return model === null ? cases : `${cases} with ${name}`;
}

/** The figure that stands for a subject where there is room for one, and the one beside it. */
export function mainMetrics({ main }: SkillDiff): readonly [string, string] {
  const [first = "completionRate", second = first] = main;
  return [first, second];
}

function countVerdicts(skills: readonly SkillDiff[], word: ReturnType<typeof verdictWord>): number {
  return skills.filter((skill) => verdictWord(skill) === word).length;
}
