import { type CellReader, parseCell, type SkillReport } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import type { Verdict } from "../contract/verdict.ts";
import { describeOutcome, describeOutput } from "./describe-outcome.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { fraction, milliseconds, percent } from "./format-numbers.ts";
import { skillFigures } from "./markdown-skill-figures.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { countNotPassed, notPassed } from "./not-passed.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const listedAtMost = 20;
const reasonLimit = 160;
const outputLimit = 80;
const marks: Record<Verdict, string> = { pass: "✓", fail: "✗", error: "✗", timeout: "✗", invalid: "?" };

/** All there is to say about one skill; its cells pass by one at a time. */
export function* skillSection(skill: SkillReport, runs: number, cellsOf: CellReader): Generator<string> {
  yield `\n## ${escapeMarkdown(skill.skillId)}\n\n`;
  yield* skillFigures(skill);
  yield* tagTable(skill);
  yield* notPassedList(skill, runs, cellsOf);
  yield "\n### Tasks\n\n";
  yield* taskTable(skill, runs, cellsOf);
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

/** The first results of a skill that did not pass, and why; `whereRest` says where to find the others. */
export function* notPassedList(
  skill: SkillReport,
  runs: number,
  cellsOf: CellReader,
  whereRest = ", listed below",
): Generator<string> {
  const count = countNotPassed(skill);
  if (count === 0) return;
  yield "\n### What did not pass\n\n";
  for (const cell of notPassed(skill, cellsOf, listedAtMost)) {
    const trial = runs > 1 ? ` #${cell.trial}` : "";
    const why = describeOutcome(cell);
    const rest = why === "" ? "" : `: ${escapeMarkdown(shortenMiddle(why, reasonLimit))}`;
    yield `- **${cell.status}** ${escapeMarkdown(cell.taskId)}${trial}${rest}\n`;
  }
  if (count > listedAtMost) yield `- … and ${count - listedAtMost} more${whereRest}\n`;
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

function* taskRows(cells: Iterable<string>, hasTrials: boolean): Generator<string[]> {
  for (const text of cells) yield taskRow(parseCell(text), hasTrials);
}

function taskRow(cell: CellResult, hasTrials: boolean): string[] {
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
