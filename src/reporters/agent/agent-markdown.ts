import { listed } from "../../base/listed.ts";
import type { AgentReport, AgentReporter, AgentResultReader } from "../../contract/agent-report.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import { markdownTable, wordColumn } from "../markdown-table.ts";
import { agentRunFacts, isolationWords, modelWords } from "./agent-facts.ts";
import { type AgentOverview, agentOverview } from "./agent-overview.ts";
import { caseName, cellKinds, cellName, countWords } from "./cell-words.ts";
import { conversationFacts, conversationsOver } from "./conversation-facts.ts";
import { markLegend, markOf, type ScoreName, scoreNames } from "./dimension-words.ts";
import { describeAgentGate, describeOpen, describeTolerated } from "./gate-words.ts";
import { markdownFailedCells, markdownInvalidCells } from "./markdown-cells.ts";
import { type MetricFact, metricFacts, withBounds } from "./metric-facts.ts";

const casesNamed = 5;
const idleAtMost = 200;

/** The report on agent runs for people: reads well as it is, and better when rendered. */
export const agentMarkdownReporter: AgentReporter = { format: "markdown", extension: "md", render };

function* render(report: AgentReport, results: AgentResultReader): Generator<string> {
  const overview = agentOverview(results);
  yield* agentMarkdownSummary(report, overview);
  yield* markdownFailedCells(report, results, overview.failed);
  yield* markdownInvalidCells(report, results, overview.invalid);
  yield* idleChecks(overview);
  yield* cellTable(report, results, overview);
  yield* metricTables(report);
  yield "\n## Run\n\n";
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], agentRunFacts(report));
  yield "\n---\n\n";
  yield `Made by eval-skills ${escapeMarkdown(report.tool.version)}.\n`;
}

/** What a reader wants to know first: suite, model, isolation, how many passed, the gates, what was skipped. */
export function* agentMarkdownSummary(report: AgentReport, { invalid }: AgentOverview): Generator<string> {
  const { totals, pass_rate, gates, skipped, warnings } = report;
  yield `# Agent report: ${totals.pass} of ${totals.cells} passed\n\n`;
  yield* markdownTable(
    [wordColumn("Fact"), wordColumn("Value")],
    [
      ["Suite", report.suite],
      ["Model", modelWords(report)],
      ["Isolation", isolationWords(report)],
      ["Cases", caseCounts(report)],
      ["Cells", `${totals.cells}: ${countWords(totals)}`],
      ["Pass rate", `${withBounds(pass_rate)}${pass_rate.interval === null ? "" : `, ${pass_rate.method}`}`],
    ],
  );
  const tolerated = describeTolerated(report);
  for (const words of [...gates.map(describeAgentGate), describeOpen(report, invalid)])
    if (words !== null) yield `\n**${escapeMarkdown(words)}**\n`;
  if (tolerated !== null) yield `\n${escapeMarkdown(tolerated)}\n`;
  if (skipped.length > 0)
    yield `\nSkipped by level: ${escapeMarkdown(listed(skipped.map(caseName), casesNamed * 4))}\n`;
  if (warnings.length === 0) return;
  yield "\n";
  for (const warning of warnings) yield `- ⚠ ${escapeMarkdown(warning)}\n`;
}

function caseCounts({ totals }: AgentReport): string {
  return totals.skipped === 0 ? String(totals.cases) : `${totals.cases}, of which ${totals.skipped} skipped`;
}

function* idleChecks({ idle }: AgentOverview): Generator<string> {
  if (idle.size === 0) return;
  yield "\n## Checks never exercised\n\n";
  yield "Nothing in these runs could have tripped them.\n\n";
  for (const [check, cases] of [...idle].slice(0, idleAtMost))
    yield `- ${escapeMarkdown(check)}: ${escapeMarkdown(listed(cases, casesNamed))}\n`;
  if (idle.size > idleAtMost) yield `- … and ${idle.size - idleAtMost} more\n`;
}

function* cellTable(
  report: AgentReport,
  results: AgentResultReader,
  { has }: AgentOverview,
): Generator<string> {
  const kinds = cellKinds(report);
  const names = scoreNames(has);
  yield `\n## All cells\n\n${markLegend}\n\n`;
  const columns = [
    wordColumn("Cell"),
    wordColumn("Status"),
    ...names.map((name) => wordColumn(titled(name))),
  ];
  yield* markdownTable(columns, rows());

  function* rows(): Generator<string[]> {
    for (const result of results())
      yield [cellName(result, kinds), result.status, ...names.map((name) => markOf(result, name))];
  }
}

function titled(name: ScoreName): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function* metricTables({ conversations, metrics }: AgentReport): Generator<string> {
  if (conversations !== undefined) {
    yield `\n## Conversations\n\n${conversationsOver(conversations)}.\n\n`;
    yield* factTable(conversationFacts(conversations));
  }
  if (metrics === null) return;
  yield "\n## Metrics\n\nOver the cells of real models, with skills.\n\n";
  yield* factTable(metricFacts(metrics));
}

function factTable(facts: readonly MetricFact[]): Iterable<string> {
  const columns = [wordColumn("Metric"), wordColumn("Value"), wordColumn("Of")];
  return markdownTable(
    columns,
    facts.map(({ name, value, of }) => [name, value, of]),
  );
}
