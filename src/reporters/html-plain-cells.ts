import { type CellReader, parseCell, type Report } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import { describeOutcome, describeOutput } from "./describe-outcome.ts";
import { fraction, milliseconds } from "./format-numbers.ts";
import { htmlTable, numberColumn, wordColumn } from "./html-table.ts";
import { countNotPassed, notPassed } from "./not-passed.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const listedAtMost = 500;
const idLimit = 200;
const reasonLimit = 300;
const outputLimit = 200;

const columns = [
  wordColumn("Status"),
  wordColumn("Skill"),
  wordColumn("Task"),
  numberColumn("Trial"),
  numberColumn("Score"),
  numberColumn("Latency"),
  wordColumn("Reason or error"),
  wordColumn("Output"),
];

/** The first cells as a plain table, those that did not pass before the rest. */
export function* plainCells(report: Report, cellsOf: CellReader): Generator<string> {
  const all = report.reports.reduce((sum, { counts }) => sum + counts.total + counts.invalid, 0);
  yield "<section>\n<h2>Results</h2>\n";
  if (all > listedAtMost)
    yield `<p>The first ${listedAtMost} of ${all} results, those that did not pass before the rest. All of them are shown where scripts may run, and stand in the JSON report.</p>\n`;
  yield* htmlTable("Results, one row per task and trial", columns, cellRows(report, cellsOf));
  yield "</section>\n";
}

function* cellRows(report: Report, cellsOf: CellReader): Generator<string[]> {
  let left = listedAtMost;
  for (const skill of report.reports) {
    if (left === 0) return;
    for (const cell of notPassed(skill, cellsOf, left)) yield cellRow(cell);
    left = Math.max(0, left - countNotPassed(skill));
  }
  for (const skill of report.reports) {
    let passed = Math.min(left, skill.counts.pass);
    if (passed === 0) continue;
    left -= passed;
    for (const text of cellsOf(skill.skillId, skill.benchmarkId)) {
      const cell = parseCell(text);
      if (cell.status !== "pass") continue;
      yield cellRow(cell);
      if (--passed === 0) break;
    }
  }
}

function cellRow(cell: CellResult): string[] {
  return [
    cell.status === "invalid" ? "invalid: no verdict" : cell.status,
    shortenMiddle(cell.skillId, idLimit),
    shortenMiddle(cell.taskId, idLimit),
    String(cell.trial),
    fraction(cell.score),
    milliseconds(cell.latencyMs),
    shortenMiddle(describeOutcome(cell), reasonLimit),
    describeOutput(cell, outputLimit),
  ];
}
