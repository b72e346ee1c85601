import type {
  ComparedSubject,
  DiffVerdict,
  MetricDiff,
  NotCompared,
  ReportDiff,
  SkillDiff,
} from "../../contract/diff.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import {
  betweenPoints,
  compositeScore,
  expectedFalse,
  milliseconds,
  percent,
  points,
  usd,
} from "../text/format-numbers.ts";
import { intervalLabel } from "../view/interval-words.ts";

export const verdictMarks: Record<DiffVerdict, string> = {
  regressed: "✗",
  improved: "✓",
  unchanged: "=",
  inconclusive: "?",
  "not-comparable": "?",
};

export function verdictWord(verdict: DiffVerdict): string {
  return verdict === "not-comparable" ? "not comparable" : verdict;
}

/** All verdicts in one sentence of plain text: `1 skill regressed, 2 improved, 1 unchanged, 1 removed`. */
export function describeDiff({ skills, added, removed, leftOut }: Omit<ReportDiff, "labels">): string {
  const count = (verdict: DiffVerdict) => skills.filter((skill) => skill.verdict === verdict).length;
  const counts: [number, string][] = [
    [count("regressed"), "regressed"],
    [removed.length, "removed"],
    [count("not-comparable") + leftOut.length, "not comparable"],
    [count("improved"), "improved"],
    [count("inconclusive"), "inconclusive"],
    [count("unchanged"), "unchanged"],
    [added.length, "added"],
  ];
  return counts
    .filter(([number]) => number > 0)
    .map(
      ([number, word], at) =>
        `${at === 0 ? pluralize(number, subjectNoun([...skills, ...removed, ...added])) : number} ${word}`,
    )
    .join(", ");
}

/** How many verdicts there are and how many of them are expected to be false: `20 skills: about 1 false verdict expected`; null of a single one. */
export function falseVerdicts({ skills, expectedFalse: expected, isFamilyWise }: ReportDiff): string | null {
  const judged = skills.filter(({ verdict }) => verdict !== "not-comparable");
  if (judged.length < 2) return null;
  const count = pluralize(judged.length, subjectNoun(judged));
  return isFamilyWise
    ? `${count}, corrected for their number: the chance of any false verdict is at most 5%`
    : `${count}: ${expectedFalse(expected)}; --family-wise corrects for it`;
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

/** Why cases were not compared: `: 3 edited, 2 only in v1.0`; empty where all were. */
export function countedReasons(
  { edited, onlyA, onlyB, invalid, quarantined = [] }: NotCompared,
  labels: ReportDiff["labels"],
): string {
  const reasons: [readonly string[], string][] = [
    [edited, "edited"],
    [onlyA, `only in ${labels.a}`],
    [onlyB, `only in ${labels.b}`],
    [invalid, "without a valid result on one side"],
    [quarantined, "in quarantine"],
  ];
  const counted = reasons.filter(([ids]) => ids.length > 0).map(([ids, why]) => `${ids.length} ${why}`);
  return counted.length === 0 ? "" : `: ${counted.join(", ")}`;
}

/** How far a change could be off: `with 95% confidence the true change lies between −12.3 and +4.1 points for cases like these (20 cases × 3)`. */
export function trueChange(
  interval: { lower: number; upper: number },
  { cases, trials }: { cases: number; trials: number },
): string {
  const label = intervalLabel({ estimates: "cases-like-these", cases, trials: cases * trials });
  return `with 95% confidence the true change lies ${betweenPoints(interval)} ${label}`;
}

/** What a comparison of this size cannot see: `a drop below 16.8 points could have gone unseen`; null where it compared nothing. */
export function unseenDrop({ paired: { smallestDetectableDrop: drop } }: SkillDiff): string | null {
  return drop === null ? null : `a drop below ${points(drop)} could have gone unseen`;
}

interface MetricStyle {
  title: string;
  value: (value: number | null) => string;
  /** The change without its sign. */
  size: (delta: number) => string;
  /** What is written where a change is too small for its digits. */
  least: string;
}

const inPoints = (delta: number) => `${(delta * 100).toFixed(1)} pp`;

/** 0 of 0 is shown as such: it is neither good nor bad. */
const defined = (value: MetricStyle["value"]) => (number: number | null) =>
  number === null ? "undefined" : value(number);

const rate = { value: percent, size: inPoints, least: "0.1 pp" };
const score = { value: compositeScore, size: (delta: number) => delta.toFixed(4), least: "0.0001" };
const time = {
  value: milliseconds,
  size: (delta: number) => milliseconds(delta),
  least: "0.1 ms",
};

/** How a figure is shown, in its own precision; unknown ones as a share. */
export function metricStyle(name: string): MetricStyle {
  return metricStyles[name] ?? { title: name, ...rate };
}

const metricStyles: Readonly<Record<string, MetricStyle>> = {
  completionRate: { title: "Completion", ...rate },
  errorRate: { title: "Error Rate", ...rate },
  passRate: { title: "Pass Rate", ...rate },
  ok0Rate: { title: "Ok at First", ...rate },
  recall: { title: "Recall", ...rate, value: defined(percent) },
  precision: { title: "Precision", ...rate, value: defined(percent) },
  mcc: { title: "MCC", ...score, value: defined(compositeScore) },
  latencyMs: { title: "Typical Latency", ...time },
  latencyP95Ms: { title: "P95 Latency", ...time },
  costUsd: { title: "Cost per Trial", value: usd, size: usd, least: "$0.000001" },
  tokens: {
    title: "Tokens per Trial",
    value: (tokens) => (tokens === null ? "–" : tokens.toFixed(0)),
    size: (delta) => delta.toFixed(0),
    least: "1",
  },
  compositeScore: { title: "Composite Score", ...score },
};

const senseWords: Record<MetricDiff["sense"], string> = {
  better: "better",
  worse: "worse",
  same: "",
  "no-difference-found": "no difference found",
  "not-tested": "not tested",
};

/** A change with its arrow, its size and what its own test says: `↓ −25.0 pp worse`, `↑ +8 ms, no difference found`. */
export function describeChange(name: string, metric: MetricDiff | undefined): string {
  const { size, least } = metricStyle(name);
  const { delta = null, sense = "same", ratio } = metric ?? {};
  if (delta === null) return "–";
  if (delta === 0) return `= ${size(0)}`;
  const written = size(Math.abs(delta));
  const number = written === size(0) ? `<${least}` : `${delta > 0 ? "+" : "−"}${written}`;
  const isJudged = sense === "better" || sense === "worse";
  const times = ratio === undefined || !isJudged ? "" : ` (× ${ratio.toFixed(2)})`;
  return `${delta > 0 ? "↑" : "↓"} ${number}${times}${isJudged ? " " : ", "}${senseWords[sense]}`;
}

/** Which figures have no test, by reason: `Composite Score (derived from other figures)`. */
export function untestedRows({ metrics }: SkillDiff): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, { test, reason }] of Object.entries(metrics))
    if (test === null && reason !== undefined)
      byReason.set(reason, [...(byReason.get(reason) ?? []), metricStyle(name).title]);
  return [...byReason].map(([reason, titles]) => `${titles.join(" and ")} (${reason})`);
}
