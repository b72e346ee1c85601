import { countOf } from "../base/count-of.ts";
import type { CellReader, Report, Reporter } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import type { Counts } from "../contract/verdict.ts";
import { describeContainment } from "./describe-containment.ts";
import { describeGate } from "./describe-gate.ts";
import { describeInvalid } from "./describe-invalid.ts";
import { countQueries, queryCount, sumTriggerCounts } from "./describe-trigger-counts.ts";
import { describeTriggering } from "./describe-triggering.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { compositeScore, fraction, milliseconds, percent, percentBounds } from "./format-numbers.ts";
import { judgeSection } from "./markdown-judges.ts";
import { markdownRunFacts } from "./markdown-run-facts.ts";
import { skillSection } from "./markdown-skill.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { triggeringSection } from "./markdown-triggering.ts";
import { withBounds } from "./skill-figures.ts";
import { judgedEntries } from "./told-entries.ts";

/** The report for people: reads well as it is, and better when rendered. */
export const markdownReporter: Reporter = { format: "markdown", extension: "md", render };

function* render(report: Report, cellsOf: CellReader): Generator<string> {
  yield* markdownSummary(report);
  yield "\n## Run\n\n";
  yield* markdownRunFacts(report);
  yield* judgeSection(report);
  yield* triggeringSection(report);
  for (const skill of report.reports) yield* skillSection(skill, report, cellsOf);
  yield "\n---\n\n";
  yield `Made by eval-skills ${escapeMarkdown(report.tool.version)}. `;
  yield "Two runs over the same inputs differ only in times, durations, run id and the paths of this machine.\n";
}

/** What a reader wants to know first: how many passed, behind which walls, the table of all skills, the gate, the warnings. */
export function* markdownSummary(report: Report): Generator<string> {
  yield `# Evaluation report: ${report.passed} of ${report.total} passed\n\n`;
  yield* queryShare(report);
  if (isRecorded(report.run)) yield `${escapeMarkdown(describeContainment(report.run.containment))}\n\n`;
  yield* summaryTable(report);
  if (report.gate.enforced) yield `\n**${escapeMarkdown(describeGate(report))}**\n`;
  yield* failureParagraphs(report);
  yield* warningList(report.warnings);
}

/** What was counted, where it is of two sorts. */
function* queryShare(report: Report): Generator<string> {
  const judged = judgedEntries(report);
  if (judged.length === 0) return;
  const sum = (count: (counts: Counts) => number) =>
    report.reports.reduce((all, { counts }) => all + count(counts), 0);
  const { passed, ...others } = sumTriggerCounts(judged);
  const results = `${sum(({ pass }) => pass)} of ${countOf(
    sum(({ total }) => total),
    "result",
  )}`;
  yield `${results} and ${passed} of ${countQueries(queryCount({ passed, ...others }))} about triggering passed.\n\n`;
}

function* summaryTable(report: Report): Generator<string> {
  const hasSelection = report.reports.some(({ selected }) => selected !== undefined);
  const columns = [
    wordColumn("Skill"),
    ...(hasSelection ? [numberColumn("Selected")] : []),
    wordColumn("Completion"),
    numberColumn("Error Rate"),
    numberColumn("P95 Latency"),
    numberColumn("Consistency"),
    numberColumn("Flake"),
    numberColumn("Composite Score"),
  ];
  const rows = report.reports.map(({ skillId, summary, latency, selected, rank }) => [
    skillId,
    ...(hasSelection ? [selected ? String(rank ?? "yes") : "–"] : []),
    withBounds(percent(summary.completionRate), percentBounds(summary.intervals.completionRate)),
    percent(summary.errorRate),
    milliseconds(latency.p95Ms),
    fraction(summary.consistencyScore),
    percent(summary.flakeRate),
    compositeScore(summary.compositeScore),
  ]);
  yield* markdownTable(columns, rows);
}

function* failureParagraphs(report: Report): Generator<string> {
  for (const words of [describeTriggering(report), describeInvalid(report)])
    if (words !== null) yield `\n**${escapeMarkdown(words)}**\n`;
}

function* warningList(warnings: readonly string[]): Generator<string> {
  if (warnings.length === 0) return;
  yield "\n## Warnings\n\n";
  for (const warning of warnings) yield `- ⚠ ${escapeMarkdown(warning)}\n`;
}
