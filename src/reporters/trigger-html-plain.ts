import type { QueryLine, QueryReader, TriggerReport, TriggerResult } from "../contract/trigger-report.ts";
import { chosenOf, confusionColumns } from "./confusion-columns.ts";
import { describeConfusion } from "./describe-confusion.ts";
import { describeInconclusive } from "./describe-inconclusive.ts";
import { describeJudge } from "./describe-judge.ts";
import { describeSkips } from "./describe-skips.ts";
import { sumTriggerCounts } from "./describe-trigger-counts.ts";
import { describeSkillGate, describeTriggerGate } from "./describe-trigger-gate.ts";
import { milliseconds, percent, usd } from "./format-numbers.ts";
import { plainQueries } from "./html-plain-queries.ts";
import { htmlTable, numberColumn, textColumn, wordColumn } from "./html-table.ts";
import { escapeHtml } from "./html-text.ts";
import { describePositionBias } from "./position-bias.ts";
import { figure } from "./trigger-metric-rows.ts";
import { triggerRunFacts } from "./trigger-run-facts.ts";

const matrixColumnsAtMost = 100;

/** The report on triggering in plain tables, for where no script runs. */
export function* plainTriggerReport(report: TriggerReport, queriesOf: QueryReader): Generator<string> {
  const judged = report.results.filter(({ skipped }) => skipped === null);
  yield `<main>\n<header>\n<h1>${report.passed} of ${report.total} passed</h1>\n`;
  for (const words of [describeTriggerGate(report.gate), describeInconclusive(report)])
    if (words !== null) yield paragraph(words);
  for (const warning of report.warnings) yield paragraph(`Warning: ${warning}`);
  yield "</header>\n<section>\n<h2>Skills</h2>\n";
  if (judged.length > 0) yield* htmlTable("Figures of each skill", skillColumns, judged.map(skillRow));
  for (const words of describeSkips(report.results)) yield paragraph(`Skipped: ${words}`);
  yield "</section>\n";
  if (judged.length > 0) yield* baselineTable(judged);
  yield* confusionTable(report);
  if (judged.length > 0) {
    yield "<section>\n<h2>Queries</h2>\n";
    yield* plainQueries(() => queriesIn(judged, queriesOf), sumTriggerCounts(judged), judged.length > 1);
    yield "</section>\n";
  }
  yield "<section>\n<h2>Run</h2>\n";
  yield* htmlTable("Run facts", [wordColumn("Fact"), textColumn("Value")], triggerRunFacts(report));
  yield "</section>\n</main>\n";
}

const skillColumns = [
  wordColumn("Skill"),
  wordColumn("Judge"),
  wordColumn("Passed, failed, inconclusive"),
  wordColumn("Recall"),
  wordColumn("Precision"),
  numberColumn("MCC"),
  numberColumn("Invalid replies"),
  numberColumn("Cost"),
  numberColumn("P95 latency"),
  wordColumn("Gate"),
  textColumn("Notes"),
];

function skillRow(result: TriggerResult): string[] {
  const query = result.metrics?.query;
  return [
    result.skillId,
    describeJudge(result.judge, result),
    [result.passed, result.failed, result.inconclusive].join(", "),
    withBounds(query?.recall ?? null, query?.intervals.recall ?? null),
    withBounds(query?.precision ?? null, query?.intervals.precision ?? null),
    figure(query?.mcc ?? null),
    percent(result.invalidRate),
    usd(result.usd),
    milliseconds(result.latency.p95Ms),
    describeSkillGate(result.gate) ?? "",
    result.notes.join("; "),
  ];
}

function withBounds(rate: number | null, bounds: { lower: number; upper: number } | null): string {
  return bounds === null ? figure(rate) : `${figure(rate)} (${figure(bounds.lower)}–${figure(bounds.upper)})`;
}

const baselineColumns = ["Skill", "Judge", "Recall", "Precision", "Specificity", "F1", "MCC", "Coverage"].map(
  (title, place) => (place < 2 ? wordColumn(title) : numberColumn(title)),
);

function* baselineTable(judged: readonly TriggerResult[]): Generator<string> {
  const rows = judged.flatMap(({ skillId, metrics }) => {
    if (metrics === null) return [];
    const { alwaysYes, alwaysNo, lexical } = metrics.baselines;
    const judges = [
      ["this judge", metrics.query],
      ["lexical router", lexical],
      ["always yes", alwaysYes],
      ["always no", alwaysNo],
    ] as const;
    return judges.flatMap(([name, of]) =>
      of === null
        ? []
        : [
            [
              skillId,
              name,
              ...[of.recall, of.precision, of.specificity, of.f1, of.mcc, of.coverage].map(figure),
            ],
          ],
    );
  });
  if (rows.length === 0) return;
  yield "<section>\n<h2>Beside baselines</h2>\n";
  yield* htmlTable("Figures of each judge, and of those it has to beat", baselineColumns, rows);
  yield "</section>\n";
}

function* confusionTable({ confusion, results }: TriggerReport): Generator<string> {
  if (confusion === null || confusion === undefined) return;
  const columns = confusionColumns(confusion.rows);
  yield "<section>\n<h2>Who was chosen</h2>\n";
  if (columns.length <= matrixColumnsAtMost)
    yield* htmlTable(
      "Whom requests are meant for, down, and who was chosen, across",
      [wordColumn("Meant for"), ...[...columns, "NONE", "undecided"].map(numberColumn)],
      confusion.rows.map((row) => [
        row.intended ?? "no owner",
        ...columns.map((id) => String(chosenOf(row, id) || "")),
        String(row.none || ""),
        String(row.undecided || ""),
      ]),
    );
  yield paragraph(describeConfusion(confusion));
  const position = describePositionBias(results);
  if (position !== null) yield paragraph(position);
  if (confusion.worstPairs.length > 0)
    yield* htmlTable(
      "Worst pairs",
      [
        wordColumn("Meant for"),
        wordColumn("Chosen instead"),
        numberColumn("Requests"),
        numberColumn("Share"),
      ],
      confusion.worstPairs.map(({ intended, chosen, count, of, rate }) => [
        intended,
        chosen,
        `${count} of ${of}`,
        percent(rate),
      ]),
    );
  yield "</section>\n";
}

function* queriesIn(judged: readonly TriggerResult[], queriesOf: QueryReader): Generator<QueryLine> {
  for (const { skillId } of judged) yield* queriesOf(skillId);
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>\n`;
}
