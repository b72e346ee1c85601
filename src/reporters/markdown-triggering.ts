import type { Report } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";
import { describeJudge } from "./describe-judge.ts";
import { describeSkips } from "./describe-skips.ts";
import { describeTriggerCounts, sumTriggerCounts } from "./describe-trigger-counts.ts";
import { describeSkillGate } from "./describe-trigger-gate.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { markdownQueries } from "./markdown-queries.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { judgedEntries, toldEntries } from "./told-entries.ts";
import { figure, titledHeads } from "./trigger-metric-rows.ts";

/** The trigger tests of `eval`: a table of all skills, and what did not pass; nothing where no skill has any. */
export function* triggeringSection(report: Report, whereRest = ", see the JSON report"): Generator<string> {
  const judged = judgedEntries(report);
  const skips = describeSkips(judged.length > 0 ? report.triggering : toldEntries(report));
  if (judged.length === 0 && skips.length === 0) return;
  yield "\n## Triggering\n";
  if (judged.length > 0) {
    yield `\ntriggering: ${describeTriggerCounts(sumTriggerCounts(judged))}\n\n`;
    yield* markdownTable(columns, judged.map(row));
  }
  for (const words of skips) yield `\nSkipped: ${escapeMarkdown(words)}\n`;
  for (const { skillId, failed, inconclusive, results = [] } of judged) {
    if (failed + inconclusive === 0) continue;
    yield `\n### Queries of ${escapeMarkdown(skillId)} that did not pass\n\n`;
    yield* markdownQueries(results, skillId, whereRest);
  }
}

const columns = [
  wordColumn("Skill"),
  numberColumn("Passed"),
  numberColumn("Failed"),
  numberColumn("Inconclusive"),
  ...titledHeads.map(numberColumn),
  wordColumn("Judge"),
  wordColumn("Gate"),
  wordColumn("Notes"),
];

function row(entry: TriggeringEntry): string[] {
  const { skillId, queries, passed, failed, inconclusive, metrics, judge, gate, notes = [] } = entry;
  return [
    skillId,
    `${passed}/${queries}`,
    String(failed),
    String(inconclusive),
    ...[metrics?.precision, metrics?.recall, metrics?.specificity, metrics?.f1, metrics?.mcc].map((value) =>
      figure(value ?? null),
    ),
    describeJudge(judge, entry),
    describeSkillGate(gate) ?? "",
    notes.join(", "),
  ];
}
