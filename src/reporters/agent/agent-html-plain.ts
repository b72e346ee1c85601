import type { AgentReport, AgentResult, AgentResultReader } from "../../contract/agent-report.ts";
import { htmlTable, textColumn, wordColumn } from "../html-table.ts";
import { escapeHtml } from "../html-text.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { agentRunFacts } from "./agent-facts.ts";
import { agentOverview } from "./agent-overview.ts";
import { caseName, cellKinds, cellName, countWords, isFailed, noVerdictWords } from "./cell-words.ts";
import { conversationFacts, conversationsOver } from "./conversation-facts.ts";
import { markLegend, markOf, scoreNames } from "./dimension-words.ts";
import { eventWords } from "./event-words.ts";
import { describeAgentGate, describeOpen, describeTolerated } from "./gate-words.ts";
import { type MetricFact, metricFacts, withBounds } from "./metric-facts.ts";

const listedAtMost = 500;
const textLimit = 300;
const nameLimit = 200;

/** The report on agent runs in plain tables, for where no script runs. */
export function* plainAgentReport(report: AgentReport, results: AgentResultReader): Generator<string> {
  const { totals, pass_rate, gates, skipped, metrics, conversations, warnings } = report;
  const overview = agentOverview(results);
  yield `<main>\n<header>\n<h1>${totals.pass} of ${totals.cells} passed</h1>\n`;
  yield paragraph(`${countWords(totals)}; pass rate ${withBounds(pass_rate)}`);
  for (const words of [
    ...gates.map(describeAgentGate),
    describeOpen(report, overview.invalid),
    describeTolerated(report),
  ])
    if (words !== null) yield paragraph(words);
  for (const warning of warnings) yield paragraph(`Warning: ${warning}`);
  yield "</header>\n";
  const wrong = overview.failed + overview.invalid;
  if (wrong > 0) {
    yield "<section>\n<h2>What did not pass</h2>\n";
    yield* htmlTable("Failures, one row each", failureColumns, failureRows(report, results, wrong));
    yield "</section>\n";
  }
  yield `<section>\n<h2>Cells</h2>\n${paragraph(markLegend)}`;
  if (totals.cells > listedAtMost)
    yield `<p>The first ${listedAtMost} of ${totals.cells} cells, those that did not pass before the rest. All of them are shown where scripts may run, and stand in the JSON report.</p>\n`;
  const names = scoreNames(overview.has);
  const columns = [wordColumn("Cell"), wordColumn("Status"), ...names.map(wordColumn)];
  yield* htmlTable("Cells, one row each, by dimension", columns, cellRows(report, results, names, wrong > 0));
  yield "</section>\n";
  if (skipped.length > 0)
    yield `<section>\n<h2>Skipped by level</h2>\n${paragraph(skipped.slice(0, listedAtMost).map(caseName).join(", "))}</section>\n`;
  if (conversations !== undefined)
    yield* factSection("Conversations", conversationsOver(conversations), conversationFacts(conversations));
  if (metrics !== null)
    yield* factSection("Metrics", "Figures over the cells of real models", metricFacts(metrics));
  yield "<section>\n<h2>Run</h2>\n";
  yield* htmlTable("Run facts", [wordColumn("Fact"), textColumn("Value")], agentRunFacts(report));
  yield "</section>\n</main>\n";
}

function* factSection(title: string, caption: string, facts: readonly MetricFact[]): Generator<string> {
  yield `<section>\n<h2>${title}</h2>\n`;
  const columns = [wordColumn("Metric"), wordColumn("Value"), textColumn("Of")];
  const rows = facts.map(({ name, value, of }) => [name, value, of]);
  yield* htmlTable(caption, columns, rows);
  yield "</section>\n";
}

const failureColumns = [
  wordColumn("Cell"),
  wordColumn("Dimension"),
  wordColumn("Code"),
  textColumn("Message"),
  textColumn("Events"),
];

function* failureRows(report: AgentReport, results: AgentResultReader, wrong: number): Generator<string[]> {
  const kinds = cellKinds(report);
  let left = Math.min(wrong, listedAtMost);
  for (const result of results()) {
    if (left === 0) return;
    if (!needsLook(result)) continue;
    left--;
    const name = shortenMiddle(cellName(result, kinds), nameLimit);
    if (result.status === "invalid")
      yield [name, "", "no verdict", shortenMiddle(noVerdictWords(result), textLimit), ""];
    for (const failure of result.failures)
      yield [
        name,
        failure.dimension,
        shortenMiddle(failure.code, nameLimit),
        shortenMiddle(failure.message, textLimit),
        shortenMiddle(eventWords(failure) ?? "", nameLimit),
      ];
  }
}

/** Those that did not pass before the rest; results are read twice, one at a time. */
function* cellRows(
  report: AgentReport,
  results: AgentResultReader,
  names: ReturnType<typeof scoreNames>,
  hasWrong: boolean,
): Generator<string[]> {
  const kinds = cellKinds(report);
  let left = listedAtMost;
  for (const isWrong of hasWrong ? [true, false] : [false])
    for (const result of results()) {
      if (left === 0) return;
      if (needsLook(result) !== isWrong) continue;
      left--;
      const name = shortenMiddle(cellName(result, kinds), nameLimit);
      yield [name, result.status, ...names.map((one) => markOf(result, one))];
    }
}

function needsLook(result: AgentResult): boolean {
  return result.status === "invalid" || isFailed(result);
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>\n`;
}
