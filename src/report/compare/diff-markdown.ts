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
  describeChange,
  describeDiff,
  diffName,
  diffTitle,
  mainMetrics,
  metricStyle,
  subjectNoun,
  subjectTitle,
  verdictMarks,
  verdictWord,
} from "./diff-words.ts";

const maxTasks = 50;
const maxTitleChars = 120;

/** A comparison for people: the verdict, the figures, the tasks that changed, and what to be careful about. */
export function* diffMarkdown({ diff, changes }: DiffWithTasks): Generator<string> {
  const { labels } = diff;
  yield `# ${escapeMarkdown(labels.a)} → ${escapeMarkdown(labels.b)}: ${describeDiff(diff)}\n`;
  if (diff.skills.length > 1) yield* overviews(diff);
  for (const [at, skill] of diff.skills.entries()) yield* skillSection(skill, changes[at] ?? [], diff);
  yield* nameList("Removed", diff.removed);
  yield* nameList("Added", diff.added);
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
  const [main, second] = mainMetrics(first);
  const noun = subjectNoun([first]);
  const isTitled = noun !== "skill";
  const columns = [
    ...(isTitled ? [wordColumn("Suite")] : [wordColumn("Skill"), wordColumn("Benchmark")]),
    wordColumn("Verdict"),
    wordColumn(metricStyle(main).title),
    wordColumn(metricStyle(second).title),
  ];
  const rows = skills.map((skill) => [
    ...(isTitled ? [diffTitle(skill)] : [diffName(skill), skill.suite]),
    `${verdictMarks[skill.verdict]} ${verdictWord(skill)}`,
    describeChange(main, skill.metrics[main]),
    describeChange(second, skill.metrics[second]),
  ]);
  yield* markdownTable(columns, rows);
}

function* skillSection(
  skill: SkillDiff,
  changes: readonly TaskChange[],
  { labels }: ReportDiff,
): Generator<string> {
  yield `\n## ${escapeMarkdown(diffTitle(skill))}\n\n`;
  const word = verdictWord(skill);
  const why =
    word === "unchanged"
      ? `no change in ${pluralize(skill.paired.tasks, ...skill.nouns.case)}.`
      : `${escapeMarkdown(skill.reason)}. ${pairedSentence(skill)}`;
  yield `**${verdictMarks[skill.verdict]} ${word}**: ${why}\n\n`;
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
  const { broken, fixed, shifted } = skill.paired;
  const noun = skill.nouns.case;
  yield* taskList("Broken", broken, changes, noun);
  yield* taskList("Fixed", fixed, changes, noun);
  yield* taskList("Shifted", shifted, changes, noun);
}

function pairedSentence(skill: SkillDiff): string {
  const { tasks, meanDelta, interval } = skill.paired;
  const noun = skill.nouns.case;
  if (meanDelta === null) return `No ${noun[0]} could be compared.`;
  const bounds =
    interval === null ? "" : ` (95 %: ${signedPoints(interval.lower)} to ${signedPoints(interval.upper)})`;
  // A query passes by the interval of its answers; what is compared is how many of them are right.
  const share = noun[0] === "query" ? "share of right answers" : "pass rate";
  return `Over ${pluralize(tasks, ...noun)} the ${share} changed by ${signedPoints(meanDelta)}${bounds} on average.`;
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
