import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Failures, Format, ReportView, SubjectState, SubjectView } from "../../contract/format.ts";
import { grouped } from "../text/format-numbers.ts";
import { escapeHtml, escapeJson } from "../text/html-text.ts";
import { intervalKey } from "../view/interval-words.ts";
import { knownFigures } from "../view/outline.ts";
import { pageData } from "../view/page-data.ts";
import { countCells } from "../view/quarantine-words.ts";
import { showInTable, withNote } from "../view/show-value.ts";
import { cutWords } from "../view/wrap-words.ts";

/** The report as one page for browsers: our script draws the embedded data, plain tables do without script. */
export const htmlFormat = { format: "html", extension: "html", render } satisfies Format;

function* render(view: ReportView): Generator<string> {
  const template = readPageTemplate();
  yield template.beforeTitle;
  yield escapeHtml(`${view.verdict.words}: eval-skills report ${view.report.run.id}`);
  yield template.beforePlain;
  yield* plainReport(view);
  yield template.beforeReport;
  for (const piece of pageData(view)) yield escapeJson(piece);
  yield template.end;
}

const listedSubjects = 500;
const explained = { subjects: 10, cases: 10 };
const reasonWidth = 400;
/** The cells of a larger run are not read again for every subject that failed. */
const quicklyRead = 10_000;

/** What a reader without script gets: the verdict, the subjects, the first that failed, and how the run was made. */
function* plainReport(view: ReportView): Generator<string> {
  const { verdict, report, subjects, facts } = view;
  yield `<main>\n<header>\n<h1>${escapeHtml(verdict.words)}</h1>\n`;
  for (const reason of verdict.reasons) yield paragraph(reason);
  for (const warning of report.warnings) yield paragraph(`Warning: ${warning}`);
  for (const line of view.skipped) yield paragraph(`Skipped: ${line}`);
  for (const line of view.quarantined) yield paragraph(`In quarantine: ${line}`);
  yield "</header>\n";
  for (const group of groupByLabels(subjects.slice(0, listedSubjects))) yield* subjectTable(group);
  if (subjects.length > listedSubjects)
    yield paragraph(
      `${grouped(subjects.length - listedSubjects)} more are in the page with scripts, and in the JSON report.`,
    );
  yield* failedCases(view);
  const rows = facts.map((fact) => [fact.label, withNote(fact)]);
  yield* section("How it was run", table("Facts of the run", ["Fact", "Value"], rows));
  yield "</main>\n";
}

const stateWords: Record<SubjectState, string> = {
  failed: "failed",
  unknown: "no verdict",
  passed: "passed",
  reference: "for comparison",
};

/** Subjects that are shown with the same figures: those of a level. */
function groupByLabels(subjects: readonly SubjectView[]): SubjectView[][] {
  const groups = new Map<string, SubjectView[]>();
  for (const view of subjects) {
    const key = JSON.stringify([view.level.name, view.facts.map(({ label }) => label)]);
    groups.set(key, [...(groups.get(key) ?? []), view]);
  }
  return [...groups.values()];
}

function* subjectTable(group: readonly SubjectView[]): Generator<string> {
  const [first] = group;
  if (first === undefined) return;
  const { subject } = first.level.nouns;
  const noun = `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`;
  const title = `${noun}s (${first.level.name})`;
  const labels = new Set(knownFigures(group).map(({ label }) => label));
  const heads = [noun, "State", "Passed", "Failed", "No verdict", ...labels];
  const key = intervalKey(group.flatMap(({ facts }) => facts));
  const rows = group.map(({ name, state, tally, facts }) => [
    name,
    stateWords[state],
    ...[tally.passed, tally.failed, tally.unknown].map(grouped),
    ...facts.filter(({ label }) => labels.has(label)).map((fact) => showInTable(fact, key)),
  ]);
  yield* section(title, [
    ...table(title, heads, rows),
    ...(key.words === null ? [] : [paragraph(key.words)]),
  ]);
}

function* failedCases(view: ReportView): Generator<string> {
  // Failed ones come first.
  const shown = view.subjects.slice(0, countCells(view) > quicklyRead ? 1 : explained.subjects);
  const rows = shown.flatMap((subject) => failureRows(subject, view.failures(subject, explained.cases)));
  const more = view.subjects.slice(shown.length).filter(({ state }) => state === "failed").length;
  if (rows.length > 0)
    yield* section(
      "What failed",
      table("Cases that did not pass", ["Subject", "Case", "Ended", "Why"], rows),
    );
  if (more > 0) yield paragraph(`${grouped(more)} more subjects failed.`);
}

function failureRows({ name }: SubjectView, { cases, more, retried, retriedCount }: Failures): string[][] {
  const rows = cases.map(({ caseId, title, words, reason }) => [
    name,
    title === null ? caseId : `${caseId}: ${title}`,
    words,
    cutWords(reason, reasonWidth),
  ]);
  if (more > 0) rows.push([name, `and ${grouped(more)} more`, "", ""]);
  for (const { caseId, trial, attempt } of retried)
    rows.push([name, caseId, `passed on attempt ${attempt}`, `trial ${trial}`]);
  const rest = retriedCount - retried.length;
  if (rest > 0) rows.push([name, `and ${grouped(rest)} more that passed on a retry`, "", ""]);
  return rows;
}

function* section(title: string, body: Iterable<string>): Generator<string> {
  yield `<section>\n<h2>${escapeHtml(title)}</h2>\n`;
  yield* body;
  yield "</section>\n";
}

/** A table in markup, row by row; every text in it is escaped here. */
function* table(
  caption: string,
  heads: readonly string[],
  rows: Iterable<readonly string[]>,
): Generator<string> {
  yield `<div class="scroll"><table>\n<caption class="unseen">${escapeHtml(caption)}</caption>\n<thead><tr>`;
  for (const head of heads) yield `<th scope="col">${escapeHtml(head)}</th>`;
  yield "</tr></thead>\n<tbody>\n";
  for (const row of rows) yield `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join("")}</tr>\n`;
  yield "</tbody>\n</table></div>\n";
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>\n`;
}

/** The built page, cut where a report brings its own. */
export interface PageTemplate {
  beforeTitle: string;
  beforePlain: string;
  beforeReport: string;
  end: string;
}

// Beside the bundle, or in the build as seen from the source.
const candidates = ["./report-page.html", "../../../dist/report-page.html"];

/** Reads the page that `npm run build` makes of web/report/. */
export function readPageTemplate(): PageTemplate {
  const file = candidates
    .map((candidate) => fileURLToPath(new URL(candidate, import.meta.url)))
    .find(existsSync);
  if (file === undefined) throw new Error("the page of the HTML report is not built: npm run build");
  const parts = readFileSync(file, "utf8").split(/<!--slot:(?:title|plain)-->|"slot:report"/);
  if (parts.length !== 4) throw new Error(`${file} is not a page template`);
  const [beforeTitle, beforePlain, beforeReport, end] = parts as [string, string, string, string];
  return { beforeTitle, beforePlain, beforeReport, end };
}
