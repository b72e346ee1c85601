import type {
  CaseNoun,
  ComparedSubject,
  DiffWithTasks,
  ReportDiff,
  SkillDiff,
  TaskChange,
} from "../../contract/diff.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { percent, signedPoints } from "../text/format-numbers.ts";
import { escapeMarkdown, markdownTable, numberColumn, wordColumn } from "../text/markdown.ts";
import { shortenMiddle } from "../text/text-width.ts";
import {
  countedReasons,
  describeChange,
  describeDiff,
  diffName,
  diffTitle,
  falseVerdicts,
  metricStyle,
  subjectNoun,
  subjectTitle,
  trueChange,
  unseenDrop,
  untestedRows,
  verdictMarks,
  verdictWord,
} from "./diff-words.ts";

const maxTasks = 50;
const maxTitleChars = 120;

/** A comparison for people: the verdict, the figures, the tasks that changed, and what to be careful about. */
export function* diffMarkdown({ diff, changes }: DiffWithTasks): Generator<string> {
  const { labels, failures, skills } = diff;
  yield `# ${escapeMarkdown(labels.a)} → ${escapeMarkdown(labels.b)}: ${describeDiff(diff)}\n`;
  if (failures.length > 0) {
    yield "\n";
    for (const failure of failures) yield `- **failed**: ${escapeMarkdown(failure)}\n`;
  }
  if (skills.length > 1) yield* overviews(diff);
  const chance = falseVerdicts(diff);
  if (chance !== null) yield `\n${capitalized(escapeMarkdown(chance))}.\n`;
  for (const [at, skill] of skills.entries()) yield* skillSection(skill, changes[at] ?? [], diff);
  yield* nameList("Removed", diff.removed);
  yield* nameList("Added", diff.added);
  yield* nameList("Left out: one run was limited with --case", diff.leftOut);
  yield* warningList(diff.warnings);
}

/** Each level has figures of its own, so each has a table of its own. */
function* overviews({ skills }: ReportDiff): Generator<string> {
  for (const level of new Set(skills.map((skill) => skill.level)))
    yield* overview(skills.filter((skill) => skill.level === level));
}

function* overview(skills: readonly SkillDiff[]): Generator<string> {
  const [first] = skills;
  if (first === undefined) return;
  yield "\n";
  const { main } = first;
  const isTitled = subjectNoun([first]) !== "skill";
  const columns = [
    ...(isTitled ? [wordColumn("Suite")] : [wordColumn("Skill"), wordColumn("Benchmark")]),
    wordColumn("Verdict"),
    wordColumn(metricStyle(main).title),
    wordColumn("Error Rate"),
  ];
  const rows = skills.map((skill) => [
    ...(isTitled ? [diffTitle(skill)] : [diffName(skill), skill.suite]),
    `${verdictMarks[skill.verdict]} ${verdictWord(skill.verdict)}`,
    describeChange(main, skill.metrics[main]),
    describeChange("errorRate", skill.metrics.errorRate),
  ]);
  yield* markdownTable(columns, rows);
}

function* skillSection(
  skill: SkillDiff,
  changes: readonly TaskChange[],
  { labels }: ReportDiff,
): Generator<string> {
  yield `\n## ${escapeMarkdown(diffTitle(skill))}\n\n`;
  const { verdict, paired, nouns } = skill;
  const unseen = unseenDrop(skill);
  const sentences = [
    skill.reason,
    ...skill.remarks,
    ...changeSentence(skill),
    ...(unseen === null ? [] : [unseen]),
  ];
  const why = sentences.map((words, at) => escapeMarkdown(at === 0 ? words : capitalized(words))).join(". ");
  yield `**${verdictMarks[verdict]} ${verdictWord(verdict)}**: ${why}.\n`;
  if (verdict !== "not-comparable") yield* figureTable(skill, labels);
  yield* coverageLine(skill, labels);
  yield* taskList("Broken", paired.broken, changes, nouns.case);
  yield* taskList("Fixed", paired.fixed, changes, nouns.case);
  yield* taskList("Shifted", paired.shifted, changes, nouns.case);
}

function* figureTable(skill: SkillDiff, labels: ReportDiff["labels"]): Generator<string> {
  yield "\n";
  const columns = [
    wordColumn("Metric"),
    numberColumn(escapeMarkdown(labels.a)),
    numberColumn(escapeMarkdown(labels.b)),
    wordColumn("Change"),
  ];
  const rows = Object.entries(skill.metrics).map(([name, metric]) => {
    const { title, value } = metricStyle(name);
    return [title, value(metric.a), value(metric.b), describeChange(name, metric)];
  });
  yield* markdownTable(columns, rows);
  const untested = untestedRows(skill);
  if (untested.length > 0) yield `\nNot tested: ${escapeMarkdown(untested.join(", "))}.\n`;
}

/** How much the pass rate changed, and how far that could be off where the verdict has not said so. */
function changeSentence({ paired, nouns, decidedBy, reason }: SkillDiff): string[] {
  const { tasks, trials, meanDelta, interval, broken, fixed, shifted } = paired;
  if (meanDelta === null || broken.length + fixed.length + shifted.length === 0) return [];
  // A query passes by the interval of its answers; what is compared is how many of them are right.
  const share = nouns.case[0] === "query" ? "share of right answers" : "pass rate";
  // A skill without luck changed for certain; the interval would be about other cases.
  const isCertain = decidedBy === "determinism" || decidedBy === "strict";
  const bounds = interval === null || isCertain ? null : trueChange(interval, { cases: tasks, trials });
  const change = `over ${pluralize(tasks, ...nouns.case)} the ${share} changed by ${signedPoints(meanDelta)} on average`;
  return [bounds === null || reason.includes(bounds) ? change : `${change}; ${bounds}`];
}

/** What was not compared, and the totals of both files, which are not those of the table. */
function* coverageLine(skill: SkillDiff, labels: ReportDiff["labels"]): Generator<string> {
  const { paired, totals, nouns } = skill;
  const { notCompared } = paired;
  if (countedReasons(notCompared, labels) === "") return;
  // Where nothing was compared, the verdict has said why.
  const reasons = skill.verdict === "not-comparable" ? "" : countedReasons(notCompared, labels);
  const total = ({ cases, rate }: typeof totals.a) =>
    `${percent(rate)} over ${pluralize(cases, ...nouns.case)}`;
  yield `\n${escapeMarkdown(
    `${paired.tasks} of the ${pluralize(totals.a.cases, ...nouns.case)} in ${labels.a} compared${reasons}. In full, ${labels.a} is at ${total(totals.a)}, ${labels.b} at ${total(totals.b)}.`,
  )}\n`;
}

function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function* taskList(
  title: string,
  taskIds: readonly string[],
  changes: readonly TaskChange[],
  noun: CaseNoun,
): Generator<string> {
  if (taskIds.length === 0) return;
  const wanted = new Set(taskIds.slice(0, maxTasks));
  yield `\n### ${title}: ${pluralize(taskIds.length, ...noun)}\n\n`;
  for (const { taskId, title: words, a, b } of changes) {
    if (!wanted.delete(taskId)) continue;
    const name = words === undefined ? taskId : `${taskId} ${shortenMiddle(words, maxTitleChars)}`;
    yield `- ${escapeMarkdown(name)}: ${percent(a)} → ${percent(b)}\n`;
  }
  if (taskIds.length > maxTasks) yield `- … and ${taskIds.length - maxTasks} more\n`;
}

function* nameList(title: string, names: readonly ComparedSubject[]): Generator<string> {
  if (names.length === 0) return;
  yield `\n## ${title}\n\n`;
  for (const name of names) yield `- ${escapeMarkdown(subjectTitle(name))}\n`;
}

function* warningList(warnings: readonly string[]): Generator<string> {
  if (warnings.length === 0) return;
  yield "\n## Warnings\n\n";
  for (const warning of warnings) yield `- ⚠ ${escapeMarkdown(warning)}\n`;
}
