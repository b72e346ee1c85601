import type { Report } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";
import { describeJudge } from "./describe-judge.ts";
import { describeSkips } from "./describe-skips.ts";
import { describeTriggerCounts, sumTriggerCounts } from "./describe-trigger-counts.ts";
import { describeSkillGate } from "./describe-trigger-gate.ts";
import { plainQueries } from "./html-plain-queries.ts";
import { htmlTable, numberColumn, textColumn, wordColumn } from "./html-table.ts";
import { escapeHtml } from "./html-text.ts";
import { judgedEntries, toldEntries } from "./told-entries.ts";
import { figure } from "./trigger-metric-rows.ts";

/** The trigger tests of an `eval` or a `run` as plain tables; nothing where there were none. */
export function* plainTriggering(report: Report): Generator<string> {
  const told = toldEntries(report);
  if (told.length === 0) return;
  const judged = judgedEntries(report);
  yield "<section>\n<h2>Triggering</h2>\n";
  if (judged.length > 0) {
    const counts = sumTriggerCounts(judged);
    yield `<p>${describeTriggerCounts(counts)}</p>\n`;
    yield* htmlTable("Triggering of each skill", columns, judged.map(row));
    const queries = () =>
      judged.flatMap(({ skillId, results = [] }) => results.map((query) => ({ ...query, skillId })));
    yield* plainQueries(
      queries,
      sumTriggerCounts(judged.filter(({ results }) => results)),
      judged.length > 1,
    );
  }
  for (const words of describeSkips(told)) yield `<p>Skipped: ${escapeHtml(words)}</p>\n`;
  yield "</section>\n";
}

const columns = [
  wordColumn("Skill"),
  wordColumn("Judge"),
  wordColumn("Passed, failed, inconclusive"),
  numberColumn("Recall"),
  numberColumn("Precision"),
  numberColumn("Specificity"),
  numberColumn("F1"),
  numberColumn("MCC"),
  wordColumn("Gate"),
  textColumn("Notes"),
];

function row(entry: TriggeringEntry): string[] {
  const { metrics, notes = [] } = entry;
  const figures = [metrics?.recall, metrics?.precision, metrics?.specificity, metrics?.f1, metrics?.mcc];
  return [
    entry.skillId,
    describeJudge(entry.judge, entry),
    [entry.passed, entry.failed, entry.inconclusive].join(", "),
    ...figures.map((value) => figure(value ?? null)),
    describeSkillGate(entry.gate) ?? "",
    notes.join("; "),
  ];
}
