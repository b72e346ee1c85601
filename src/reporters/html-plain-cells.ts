import type { CellReader, Report } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";
import { type AskedValue, askedText, askedValues, tasksById } from "./asked-values.ts";
import { describeOutcome, describeOutput } from "./describe-outcome.ts";
import { fraction, milliseconds } from "./format-numbers.ts";
import { type HtmlColumn, htmlTable, numberColumn, textColumn, wordColumn } from "./html-table.ts";
import { countNotPassed, notPassed } from "./not-passed.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const listedAtMost = 500;
const idLimit = 200;
const reasonLimit = 300;
const outputLimit = 200;
const askedLimit = 120;

/** The first cells as a plain table, those that did not pass before the rest. */
export function* plainCells(report: Report, cellsOf: CellReader): Generator<string> {
  const all = report.reports.reduce((sum, { counts }) => sum + counts.total + counts.invalid, 0);
  yield "<section>\n<h2>Results</h2>\n";
  if (all > listedAtMost)
    yield `<p>The first ${listedAtMost} of ${all} results, those that did not pass before the rest. All of them are shown where scripts may run, and stand in the JSON report.</p>\n`;
  const columns = chooseColumns(report);
  const titles = columns.map(([column]) => column);
  const rows = cellRows(report, cellsOf, (cell) => columns.map(([, textOf]) => textOf(cell)));
  yield* htmlTable("Results, one row per task and trial", titles, rows);
  yield "</section>\n";
}

function chooseColumns(report: Report): [HtmlColumn, (cell: TaskResult) => string][] {
  const tasks = tasksById(report);
  const asked = (name: AskedValue["name"]) => (cell: TaskResult) => {
    const value = askedValues(tasks.get(cell.taskId)).find((value) => value.name === name);
    return value === undefined ? "" : askedText(value, askedLimit);
  };
  const columns: [HtmlColumn, (cell: TaskResult) => string, isShown?: boolean][] = [
    [wordColumn("Status"), ({ status }) => (status === "invalid" ? "invalid: no verdict" : status)],
    [wordColumn("Skill"), ({ skillId }) => shortenMiddle(skillId, idLimit), report.reports.length > 1],
    [wordColumn("Task"), ({ taskId }) => shortenMiddle(taskId, idLimit)],
    [numberColumn("Trial"), ({ trial }) => String(trial), report.run.runs > 1],
    [numberColumn("Score"), ({ score }) => fraction(score)],
    [numberColumn("Latency"), ({ latencyMs }) => milliseconds(latencyMs)],
    [textColumn("Reason or error"), (cell) => shortenMiddle(describeOutcome(cell), reasonLimit)],
    [textColumn("Output"), (cell) => describeOutput(cell, outputLimit)],
    [textColumn("Input"), asked("input"), tasks.size > 0],
    [textColumn("Expected"), asked("expected"), tasks.size > 0],
  ];
  return columns.flatMap(([column, textOf, isShown = true]) => (isShown ? [[column, textOf]] : []));
}

function* cellRows(
  report: Report,
  cellsOf: CellReader,
  rowOf: (cell: TaskResult) => string[],
): Generator<string[]> {
  let left = listedAtMost;
  for (const skill of report.reports) {
    if (left === 0) return;
    for (const cell of notPassed(skill, cellsOf, left)) yield rowOf(cell);
    left = Math.max(0, left - countNotPassed(skill));
  }
  for (const skill of report.reports) {
    let passed = Math.min(left, skill.counts.pass);
    if (passed === 0) continue;
    left -= passed;
    for (const cell of cellsOf(skill.skillId, skill.benchmarkId)) {
      if (cell.status !== "pass") continue;
      yield rowOf(cell);
      if (--passed === 0) break;
    }
  }
}
