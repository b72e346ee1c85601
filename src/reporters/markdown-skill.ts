import type { CellReader, Report, SkillReport } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";
import type { Verdict } from "../contract/verdict.ts";
import { describeAsked, tasksById } from "./asked-values.ts";
import { describeOutcome, describeOutput } from "./describe-outcome.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { fraction, milliseconds, percent } from "./format-numbers.ts";
import { markdownSkillFigures } from "./markdown-skill-figures.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { countNotPassed } from "./not-passed.ts";
import { shortenMiddle } from "./shorten-middle.ts";
import { countIn, describeTrials, restOf, tasksNotPassed } from "./tasks-not-passed.ts";

const listedAtMost = 20;
const reasonLimit = 160;
const outputLimit = 80;
const askedLimit = 160;
const marks: Record<Verdict, string> = { pass: "✓", fail: "✗", error: "✗", timeout: "✗", invalid: "?" };

/** All there is to say about one skill; its cells pass by one at a time. */
export function* skillSection(skill: SkillReport, report: Report, cellsOf: CellReader): Generator<string> {
  yield `\n## ${escapeMarkdown(skill.skillId)}\n\n`;
  yield* markdownSkillFigures(skill);
  yield* tagTable(skill);
  yield* notPassedList(skill, report, cellsOf);
  yield "\n### Tasks\n\n";
  yield* taskTable(skill, report.run.runs, cellsOf);
}

function* tagTable({ byTag }: SkillReport): Generator<string> {
  const tags = Object.entries(byTag);
  if (tags.length === 0) return;
  yield "\n### Tags\n\n";
  const columns = [
    wordColumn("Tag"),
    numberColumn("Total"),
    numberColumn("Pass"),
    numberColumn("Completion"),
    numberColumn("Partial Score"),
  ];
  const rows = tags.map(([tag, { total, pass, completionRate, partialScore }]) => [
    tag,
    String(total),
    String(pass),
    percent(completionRate),
    fraction(partialScore),
  ]);
  yield* markdownTable(columns, rows);
}

/** The first tasks of a skill that did not pass, why, and what they asked for; `whereRest` says where to find the others. */
export function* notPassedList(
  skill: SkillReport,
  report: Report,
  cellsOf: CellReader,
  whereRest = ", listed below",
): Generator<string> {
  let unsaid = countNotPassed(skill);
  if (unsaid === 0) return;
  const { runs } = report.run;
  const asked = tasksById(report);
  yield "\n### What did not pass\n\n";
  for (const task of tasksNotPassed(skill, runs, cellsOf, listedAtMost)) {
    const { taskId } = task.cell;
    const why = describeOutcome(task.cell);
    const rest = why === "" ? "" : `: ${escapeMarkdown(shortenMiddle(why, reasonLimit))}`;
    yield `- **${describeTrials(task, runs)}** ${escapeMarkdown(taskId)}${rest}\n`;
    for (const line of describeAsked(asked.get(taskId), askedLimit)) yield `  - ${escapeMarkdown(line)}\n`;
    unsaid -= countIn(task);
  }
  if (unsaid > 0) yield `- … and ${restOf(unsaid, runs)}${whereRest}\n`;
}

function* taskTable(skill: SkillReport, runs: number, cellsOf: CellReader): Generator<string> {
  const hasTrials = runs > 1;
  const columns = [
    wordColumn("Task"),
    ...(hasTrials ? [numberColumn("Trial")] : []),
    wordColumn("Status"),
    numberColumn("Score"),
    numberColumn("Latency"),
    wordColumn("Reason or error"),
    wordColumn("Output"),
  ];
  yield* markdownTable(columns, taskRows(cellsOf(skill.skillId, skill.benchmarkId), hasTrials));
}

function* taskRows(cells: Iterable<TaskResult>, hasTrials: boolean): Generator<string[]> {
  for (const cell of cells) yield taskRow(cell, hasTrials);
}

function taskRow(cell: TaskResult, hasTrials: boolean): string[] {
  return [
    cell.taskId,
    ...(hasTrials ? [String(cell.trial)] : []),
    `${marks[cell.status]} ${cell.status}`,
    fraction(cell.score),
    milliseconds(cell.latencyMs),
    shortenMiddle(describeOutcome(cell), reasonLimit),
    describeOutput(cell, outputLimit),
  ];
}
