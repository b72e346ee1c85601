import type { ComparedSubject, DiffVerdict, MetricDiff, ReportDiff, SkillDiff } from "../../contract/diff.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { compositeScore, percent } from "../text/format-numbers.ts";

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
        `${at === 0 ? pluralize(count, subjectNoun([...skills, ...removed, ...added])) : count} ${word}`,
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

/** The main figure of a subject, and the secondary one. */
export function mainMetrics({ main }: SkillDiff): readonly [string, string] {
  const [first = "completionRate", second = first] = main;
  return [first, second];
}

function countVerdicts(skills: readonly SkillDiff[], word: ReturnType<typeof verdictWord>): number {
  return skills.filter((skill) => verdictWord(skill) === word).length;
}

interface MetricStyle {
  title: string;
  value: (value: number | null) => string;
  /** The change without its sign. */
  size: (delta: number) => string;
  /** What is written where a change is too small for its digits. */
  least: string;
}

const points = (delta: number) => `${(delta * 100).toFixed(1)} pp`;

/** 0 of 0 is shown as such: it is neither good nor bad. */
const defined = (value: MetricStyle["value"]) => (number: number | null) =>
  number === null ? "undefined" : value(number);

/** How a figure is shown, in its own precision; unknown ones as a share. */
export function metricStyle(name: string): MetricStyle {
  return metricStyles[name] ?? { title: name, value: percent, size: points, least: "0.1 pp" };
}

const metricStyles: Readonly<Record<string, MetricStyle>> = {
  completionRate: { title: "Completion", value: percent, size: points, least: "0.1 pp" },
  errorRate: { title: "Error Rate", value: percent, size: points, least: "0.1 pp" },
  passRate: { title: "Pass Rate", value: percent, size: points, least: "0.1 pp" },
  ok0Rate: { title: "Ok at First", value: percent, size: points, least: "0.1 pp" },
  recall: { title: "Recall", value: defined(percent), size: points, least: "0.1 pp" },
  precision: { title: "Precision", value: defined(percent), size: points, least: "0.1 pp" },
  mcc: { title: "MCC", value: defined(compositeScore), size: (delta) => delta.toFixed(4), least: "0.0001" },
  latencyP95Ms: {
    title: "P95 Latency",
    value: (ms) => (ms === null ? "–" : `${ms.toFixed(0)} ms`),
    size: (delta) => `${delta.toFixed(0)} ms`,
    least: "1 ms",
  },
  compositeScore: {
    title: "Composite Score",
    value: compositeScore,
    size: (delta) => delta.toFixed(4),
    least: "0.0001",
  },
};

/** A change with its arrow, its size and, where it means anything, its sense: `↓ −25.0 pp worse`. */
export function describeChange(name: string, metric: MetricDiff | undefined): string {
  const { size, least } = metricStyle(name);
  const { delta = null, sense = "same" } = metric ?? {};
  if (delta === null) return "–";
  if (delta === 0) return `= ${size(0)}`;
  const written = size(Math.abs(delta));
  const isTiny = written === size(0);
  const number = isTiny ? `<${least}` : `${delta > 0 ? "+" : "−"}${written}`;
  return `${delta > 0 ? "↑" : "↓"} ${number} ${sense === "within-noise" ? "within noise" : sense}`;
}
