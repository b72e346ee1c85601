import { countOf } from "../../base/count-of.ts";
import { listed } from "../../base/listed.ts";
import type { PlanReport, PlanResult, PlanResultReader } from "../../contract/planbench-report.ts";
import { milliseconds } from "../format-numbers.ts";
import { htmlTable, numberColumn, textColumn, wordColumn } from "../html-table.ts";
import { escapeHtml } from "../html-text.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { planRunFacts } from "./plan-facts.ts";
import { describePlanGate, describePlanOpen, describeUnanswered } from "./plan-gate-words.ts";
import { planOverview, type StratumOverview } from "./plan-overview.ts";
import { outcomeWords, sampleName, scriptedNote, stratumWords, whyNotOk } from "./sample-words.ts";
import { bucketWords, meanRepairsWords, tableFacts } from "./table-facts.ts";

const listedAtMost = 500;
const textLimit = 300;
const nameLimit = 200;
const casesNamed = 10;

/** The report on plans in plain tables, for where no script runs. */
export function* plainPlanReport(report: PlanReport, results: PlanResultReader): Generator<string> {
  const { passed, total, gate, summary, warnings } = report;
  const overviews = planOverview(results);
  yield `<main>\n<header>\n<h1>${passed} of ${countOf(total, "sample")} ok</h1>\n`;
  for (const words of [
    scriptedNote(report),
    ...gate.checks.map((check) => describePlanGate(check, summary)),
    describeUnanswered(report),
    describePlanOpen(report),
  ])
    if (words !== null) yield paragraph(words);
  for (const warning of warnings) yield paragraph(`Warning: ${warning}`);
  yield "</header>\n";
  for (const table of summary) {
    const overview = overviews.find(({ route }) => route === table.route);
    yield `<section>\n<h2>${escapeHtml(table.route)}</h2>\n${paragraph(stratumWords(table.route, report))}`;
    yield* htmlTable(
      `Figures of ${table.route} cases`,
      [wordColumn("Figure"), wordColumn("Value"), textColumn("Of")],
      [
        ...tableFacts(table, overview?.claimed ?? { ok: 0, wrong: 0 }).map(({ name, value, of }) => [
          name,
          value,
          of,
        ]),
        ["samples by repairs", bucketWords(table), meanRepairsWords(table)],
      ],
    );
    if (overview !== undefined) yield* reasonTable(overview);
    yield "</section>\n";
  }
  yield* sampleTable(report, results, overviews);
  yield "<section>\n<h2>Run</h2>\n";
  yield* htmlTable("Run facts", [wordColumn("Fact"), textColumn("Value")], planRunFacts(report));
  yield "</section>\n</main>\n";
}

function* reasonTable({ route, failures, errors }: StratumOverview): Generator<string> {
  const groups = [...failures, ...errors].slice(0, listedAtMost);
  if (groups.length === 0) return;
  yield* htmlTable(
    `Why ${route} samples are not ok`,
    [textColumn("Reason"), numberColumn("Samples"), textColumn("Cases")],
    groups.map(({ reason, samples, cases }) => [
      shortenMiddle(reason, textLimit),
      String(samples),
      shortenMiddle(listed([...cases], casesNamed), textLimit),
    ]),
  );
}

function* sampleTable(
  report: PlanReport,
  results: PlanResultReader,
  overviews: readonly StratumOverview[],
): Generator<string> {
  const cases = overviews.flatMap((overview) => overview.cases);
  const all = cases.reduce((sum, { ok, fail, error }) => sum + ok + fail + error, 0);
  const wrong = cases.reduce((sum, { fail, error }) => sum + fail + error, 0);
  yield "<section>\n<h2>Samples</h2>\n";
  if (all > listedAtMost)
    yield `<p>The first ${listedAtMost} of ${all} samples, those that are not ok before the rest. All of them are shown where scripts may run, and stand in the JSON report.</p>\n`;
  yield* htmlTable("Samples, one row each", sampleColumns, sampleRows(report, results, wrong > 0));
  yield "</section>\n";
}

const sampleColumns = [
  wordColumn("Sample"),
  wordColumn("Route"),
  wordColumn("Outcome"),
  textColumn("Why"),
  numberColumn("Time"),
];

/** Those that are not ok before the rest; results are read twice, one at a time. */
function* sampleRows(report: PlanReport, results: PlanResultReader, hasWrong: boolean): Generator<string[]> {
  let left = listedAtMost;
  for (const isWrong of hasWrong ? [true, false] : [false])
    for (const result of results()) {
      if (left === 0) return;
      if ((result.outcome !== "ok") !== isWrong) continue;
      left--;
      yield sampleRow(result, report);
    }
}

function sampleRow(result: PlanResult, report: PlanReport): string[] {
  return [
    shortenMiddle(sampleName(result, report), nameLimit),
    result.route,
    outcomeWords(result),
    shortenMiddle(whyNotOk(result).join("; "), textLimit),
    milliseconds(result.ms),
  ];
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>\n`;
}
