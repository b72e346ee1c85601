import { countOf } from "../../base/count-of.ts";
import { listed } from "../../base/listed.ts";
import type {
  PlanReport,
  PlanReporter,
  PlanResultReader,
  PlanTable,
} from "../../contract/planbench-report.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import { milliseconds } from "../format-numbers.ts";
import { markdownTable, numberColumn, wordColumn } from "../markdown-table.ts";
import { planRunFacts } from "./plan-facts.ts";
import { describePlanGate, describePlanOpen, describeUnanswered } from "./plan-gate-words.ts";
import { planOverview, type ReasonGroup, type StratumOverview } from "./plan-overview.ts";
import { scriptedNote, stratumWords } from "./sample-words.ts";
import { bucketWords, meanRepairsWords, tableFacts } from "./table-facts.ts";

const casesNamed = 10;
const reasonsAtMost = 50;
const casesAtMost = 500;

/** The report on plans for people: reads well as it is, and better when rendered. */
export const planMarkdownReporter: PlanReporter = { format: "markdown", extension: "md", render };

function* render(report: PlanReport, results: PlanResultReader): Generator<string> {
  const overviews = planOverview(results);
  yield* planMarkdownSummary(report, overviews);
  for (const overview of overviews) yield* caseTable(overview);
  yield "\n## Run\n\n";
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], planRunFacts(report));
  yield "\n---\n\n";
  yield `Made by eval-skills ${escapeMarkdown(report.tool.version)}.\n`;
}

/** What a reader wants to know first: bench, model, the gates, the figures of each stratum and what failed in it. */
export function* planMarkdownSummary(
  report: PlanReport,
  overviews: readonly StratumOverview[],
): Generator<string> {
  const { run, passed, total, gate, summary, warnings } = report;
  yield `# Plan report: ${passed} of ${countOf(total, "sample")} ok\n\n`;
  yield* markdownTable(
    [wordColumn("Fact"), wordColumn("Value")],
    [
      ["Bench", run.bench],
      ["Model", [run.model, ...run.answeredBy.filter((id) => id !== run.model)].join(", answered by ")],
      ["Schema", run.schema.name],
      ["Samples per case", String(run.samples)],
      ["Repairs at most", String(run.maxRepairs)],
    ],
  );
  const note = scriptedNote(report);
  if (note !== null) yield `\n**${escapeMarkdown(`${note.charAt(0).toUpperCase()}${note.slice(1)}`)}**\n`;
  for (const words of [
    ...gate.checks.map((check) => describePlanGate(check, summary)),
    describeUnanswered(report),
    describePlanOpen(report),
  ])
    if (words !== null) yield `\n**${escapeMarkdown(words)}**\n`;
  if (warnings.length > 0) yield "\n";
  for (const warning of warnings) yield `- ⚠ ${escapeMarkdown(warning)}\n`;
  for (const table of summary)
    yield* stratumSection(
      table,
      overviews.find(({ route }) => route === table.route),
      report,
    );
}

function* stratumSection(
  table: PlanTable,
  overview: StratumOverview | undefined,
  report: PlanReport,
): Generator<string> {
  const { route } = table;
  yield `\n## ${titled(route)} cases\n\n${titled(stratumWords(route, report))}.\n\n`;
  const facts = tableFacts(table, overview?.claimed ?? { ok: 0, wrong: 0 });
  yield* markdownTable(
    [wordColumn("Figure"), wordColumn("Value"), wordColumn("Of")],
    [
      ...facts.map(({ name, value, of }) => [titled(name), value, of]),
      ["Samples by repairs", bucketWords(table), meanRepairsWords(table)],
    ],
  );
  yield* reasonList("Failures", overview?.failures ?? []);
  yield* reasonList("Without an outcome", overview?.errors ?? []);
}

function* reasonList(title: string, groups: readonly ReasonGroup[]): Generator<string> {
  if (groups.length === 0) return;
  yield `\n### ${title}\n\n`;
  for (const { reason, samples, cases } of groups.slice(0, reasonsAtMost))
    yield `- **${escapeMarkdown(reason)}**: ${countOf(samples, "sample")} of ${escapeMarkdown(listed([...cases], casesNamed))}\n`;
  if (groups.length > reasonsAtMost) yield `- … and ${groups.length - reasonsAtMost} more\n`;
}

function* caseTable({ route, cases }: StratumOverview): Generator<string> {
  yield `\n## ${titled(route)} cases, one by one\n\n`;
  const columns = [
    wordColumn("Case"),
    wordColumn("Host"),
    numberColumn("Ok"),
    numberColumn("At first"),
    numberColumn("Failed"),
    numberColumn("No outcome"),
    numberColumn("Repairs"),
    numberColumn("Slowest"),
  ];
  yield* markdownTable(
    columns,
    cases
      .slice(0, casesAtMost)
      .map(({ caseId, host, ok, ok0, fail, error, repairs, slowestMs }) => [
        caseId,
        host ?? "",
        `${ok} of ${ok + fail}`,
        String(ok0),
        String(fail),
        String(error),
        String(repairs),
        ok + fail === 0 ? "–" : milliseconds(slowestMs),
      ]),
  );
  if (cases.length > casesAtMost) yield `\n… and ${cases.length - casesAtMost} more, see the JSON report\n`;
}

function titled(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
