import type {
  QueryReader,
  TriggerReport,
  TriggerReporter,
  TriggerResult,
} from "../contract/trigger-report.ts";
import { describeInconclusive, isSkipForbidden } from "./describe-inconclusive.ts";
import { describeJudge } from "./describe-judge.ts";
import { describeSkips } from "./describe-skips.ts";
import { notPassedWords, queryCount, sumTriggerCounts } from "./describe-trigger-counts.ts";
import { describeTriggerGate } from "./describe-trigger-gate.ts";
import { forbiddenSkip } from "./describe-triggering.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { markdownConfusion } from "./markdown-confusion.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { markdownTriggerSkill } from "./markdown-trigger-skill.ts";
import { figure, titledHeads } from "./trigger-metric-rows.ts";
import { triggerRunFacts } from "./trigger-run-facts.ts";

/** The report on triggering for people: reads well as it is, and better when rendered. */
export const triggerMarkdownReporter: TriggerReporter = { format: "markdown", extension: "md", render };

function* render(report: TriggerReport, queriesOf: QueryReader): Generator<string> {
  yield* markdownTriggerSummary(report);
  yield* markdownConfusion(report);
  yield "\n## Run\n\n";
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], triggerRunFacts(report));
  for (const result of judgedOf(report)) yield* markdownTriggerSkill(result, queriesOf);
  yield "\n---\n\n";
  yield `Made by eval-skills ${escapeMarkdown(report.tool.version)}.\n`;
}

/** What a reader wants to know first: how many passed, the table of all skills, the gate, what is open, what was skipped. */
export function* markdownTriggerSummary(report: TriggerReport): Generator<string> {
  const judged = judgedOf(report);
  const others = notPassedWords(sumTriggerCounts(judged));
  yield `# Trigger report: ${report.passed} of ${report.total} passed\n`;
  if (others.length > 0) yield `\n${others.join(", ")}\n`;
  if (judged.length > 0) {
    yield "\n";
    yield* markdownTable(summaryColumns, judged.map(summaryRow));
  }
  const skip = isSkipForbidden(report) ? forbiddenSkip(report.results) : null;
  for (const words of [describeTriggerGate(report.gate), skip, describeInconclusive(report)])
    if (words !== null) yield `\n**${escapeMarkdown(words)}**\n`;
  for (const words of describeSkips(report.results)) yield `\nSkipped: ${escapeMarkdown(words)}\n`;
  if (report.warnings.length === 0) return;
  yield "\n## Warnings\n\n";
  for (const warning of report.warnings) yield `- ⚠ ${escapeMarkdown(warning)}\n`;
}

const summaryColumns = [
  wordColumn("Skill"),
  numberColumn("Passed"),
  numberColumn("Failed"),
  numberColumn("Inconclusive"),
  ...titledHeads.map(numberColumn),
  wordColumn("Judge"),
  wordColumn("Notes"),
];

function summaryRow(result: TriggerResult): string[] {
  const { skillId, passed, failed, inconclusive, metrics, notes } = result;
  const figures = metrics?.query;
  return [
    skillId,
    `${passed}/${queryCount(result)}`,
    String(failed),
    String(inconclusive),
    ...[figures?.precision, figures?.recall, figures?.specificity, figures?.f1, figures?.mcc].map((value) =>
      figure(value ?? null),
    ),
    describeJudge(result.judge, result),
    notes.join(", "),
  ];
}

function judgedOf({ results }: TriggerReport): TriggerResult[] {
  return results.filter(({ skipped }) => skipped === null);
}
