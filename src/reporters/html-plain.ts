import type { CellReader, Report, SkillReport } from "../contract/report.ts";
import { describeGate } from "./describe-gate.ts";
import { describeInvalid } from "./describe-invalid.ts";
import { describeTriggering } from "./describe-triggering.ts";
import { compositeScore, fraction, milliseconds, percent, percentBounds } from "./format-numbers.ts";
import { plainCells } from "./html-plain-cells.ts";
import { plainTriggering } from "./html-plain-triggering.ts";
import { htmlTable, numberColumn, textColumn, wordColumn } from "./html-table.ts";
import { escapeHtml } from "./html-text.ts";
import { runFacts } from "./run-facts.ts";

/** The report in plain tables, for where no script runs. */
export function* plainReport(report: Report, cellsOf: CellReader): Generator<string> {
  yield `<main>\n<header>\n<h1>${report.passed} of ${report.total} passed</h1>\n`;
  if (report.gate.enforced) yield paragraph(describeGate(report));
  for (const words of [describeTriggering(report), describeInvalid(report)])
    if (words !== null) yield paragraph(words);
  for (const warning of report.warnings) yield paragraph(`Warning: ${warning}`);
  yield "</header>\n<section>\n<h2>Skills</h2>\n";
  yield* htmlTable("Figures of each skill", summaryColumns, report.reports.map(summaryRow));
  yield "</section>\n";
  yield* tagTables(report.reports);
  yield* plainCells(report, cellsOf);
  yield* plainTriggering(report);
  yield "<section>\n<h2>Run</h2>\n";
  yield* htmlTable("Run facts", [wordColumn("Fact"), textColumn("Value")], runFacts(report));
  yield "</section>\n</main>\n";
}

const summaryColumns = [
  wordColumn("Skill"),
  wordColumn("Completion (95 % Wilson interval)"),
  wordColumn("Pass, fail, error, timeout, invalid"),
  numberColumn("Error rate"),
  numberColumn("P95 latency"),
  numberColumn("Flake"),
  numberColumn("Consistency"),
  numberColumn("Composite"),
];

function summaryRow({ skillId, counts, summary, latency }: SkillReport): string[] {
  const bounds = percentBounds(summary.intervals.completionRate);
  return [
    skillId,
    summary.completionRate === null ? "– (no verdict)" : `${percent(summary.completionRate)} (${bounds})`,
    [counts.pass, counts.fail, counts.error, counts.timeout, counts.invalid].join(", "),
    percent(summary.errorRate),
    milliseconds(latency.p95Ms),
    percent(summary.flakeRate),
    fraction(summary.consistencyScore),
    compositeScore(summary.compositeScore),
  ];
}

const tagColumns = [
  wordColumn("Skill"),
  wordColumn("Tag"),
  numberColumn("Total"),
  numberColumn("Pass"),
  numberColumn("Completion"),
  numberColumn("Partial score"),
];

function* tagTables(skills: readonly SkillReport[]): Generator<string> {
  const rows = skills.flatMap(({ skillId, byTag }) =>
    Object.entries(byTag).map(([tag, { total, pass, completionRate, partialScore }]) => [
      skillId,
      tag,
      String(total),
      String(pass),
      percent(completionRate),
      fraction(partialScore),
    ]),
  );
  if (rows.length === 0) return;
  yield "<section>\n<h2>Tags</h2>\n";
  yield* htmlTable("Figures of each tag", tagColumns, rows);
  yield "</section>\n";
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>\n`;
}
