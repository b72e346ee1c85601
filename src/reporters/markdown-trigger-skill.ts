import { shorten } from "../base/visible-text.ts";
import type { QueryLine, QueryReader, TriggerMetrics, TriggerResult } from "../contract/trigger-report.ts";
import { describeJudge } from "./describe-judge.ts";
import { standingOf } from "./describe-query.ts";
import { describeTriggerCounts } from "./describe-trigger-counts.ts";
import { describeSkillGate } from "./describe-trigger-gate.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { markdownQueries } from "./markdown-queries.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { triggerFacts } from "./trigger-facts.ts";
import { figure, titledHeads, triggerMetricRows } from "./trigger-metric-rows.ts";

const reasonLimit = 160;
const queryLimit = 200;
const marks = { passed: "✓", failed: "✗", inconclusive: "?" } as const;

/** All there is to say about the triggering of one skill; its queries pass by one at a time. */
export function* markdownTriggerSkill(result: TriggerResult, queriesOf: QueryReader): Generator<string> {
  const { skillId, metrics } = result;
  yield `\n## ${escapeMarkdown(skillId)}\n\n`;
  yield `triggering: ${describeTriggerCounts(result)}, judge: ${escapeMarkdown(describeJudge(result.judge, result))}\n\n`;
  let flips = 0;
  for (const query of queriesOf(skillId)) if (query.flips) flips++;
  const gate = describeSkillGate(result.gate);
  const facts = [
    ...triggerFacts(result, flips),
    ...(result.notes.length === 0 ? [] : [["note", result.notes.join(", ")]]),
    ...(gate === null ? [] : [["gate", gate]]),
  ];
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], facts);
  if (result.failed + result.inconclusive > 0) {
    yield "\n### What did not pass\n\n";
    yield* markdownQueries(queriesOf(skillId), skillId);
  }
  if (metrics !== null) {
    yield "\n### Figures\n\n";
    yield* markdownTable(figureColumns, figureRows(metrics));
  }
  yield "\n### Queries\n\n";
  yield* markdownTable(queryColumns, queryRows(queriesOf(skillId)));
}

const figureColumns = [wordColumn("Judge"), ...titledHeads.map(numberColumn)];

function figureRows(metrics: NonNullable<TriggerResult["metrics"]>): string[][] {
  const [own, bounds, ...baselines] = triggerMetricRows(metrics).map(({ name, values }) => [name, ...values]);
  return [own ?? [], bounds ?? [], answerRow(metrics.judgment), ...baselines];
}

/** The figures over single answers, which no majority smooths. */
function answerRow({ precision, recall, specificity, f1, mcc }: TriggerMetrics): string[] {
  return ["this judge, answer by answer", ...[precision, recall, specificity, f1, mcc].map(figure)];
}

const queryColumns = [
  wordColumn("Query"),
  wordColumn("Side"),
  wordColumn("Verdict"),
  numberColumn("Yes"),
  numberColumn("No"),
  numberColumn("Invalid"),
  numberColumn("Error"),
  wordColumn("Interval"),
  wordColumn("Chosen"),
  wordColumn("Reason"),
  wordColumn("Id"),
];

function* queryRows(queries: Iterable<QueryLine>): Generator<string[]> {
  for (const query of queries) yield queryRow(query);
}

function queryRow(query: QueryLine): string[] {
  const { interval, chosen, cause, flips } = query;
  const standing = standingOf(query);
  const asides = [cause, flips ? "flips" : null].filter((word) => word !== null);
  return [
    shorten(query.query, queryLimit),
    query.side,
    `${marks[standing]} ${standing}${asides.length > 0 ? ` (${asides.join(", ")})` : ""}`,
    String(query.yes),
    String(query.no),
    String(query.invalid),
    String(query.error),
    interval === null ? "" : `${interval[0].toFixed(3)}–${interval[1].toFixed(3)}`,
    chosen === undefined ? "" : (chosen ?? "none"),
    shorten(query.reason ?? "", reasonLimit),
    query.queryId,
  ];
}
