import pc from "picocolors";
import { subjectName } from "../../contract/cell.ts";
import type { CaseReport } from "../../contract/document.ts";
import type { Format, ReportView, SubjectView } from "../../contract/format.ts";
import type { CellResult, Verdict } from "../../contract/result.ts";
import type { Block, Scalar } from "../../contract/view.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import {
  type Counts,
  countAttributes,
  noCounts,
  notLoadedCounts,
  seconds,
  skippedCounts,
  sumCounts,
} from "../text/junit-counts.ts";
import { escapeXmlLines, xmlTag } from "../text/xml.ts";
import { cellReason, endWords, statusWords } from "../view/cell-words.ts";
import { diffJson } from "../view/diff-json.ts";
import { describeIntervals } from "../view/interval-words.ts";
import { notLoadedSuite, skippedSuite, timestamp, untestedSuite } from "../view/junit-untested.ts";
import { countQuarantined, quarantineWords } from "../view/quarantine-words.ts";
import { describeReach, grantedLabel } from "../view/run-facts.ts";
import { blockLines, isStatedIn } from "../view/text-blocks.ts";
import { cutWords, limitLines, oneLine, textLines } from "../view/wrap-words.ts";

/** The report for CI servers: a test suite per subject, named by its suite, and a test case per cell. */
export const junitFormat = { format: "junit", extension: "xml", render } satisfies Format;

const titleColumns = 80;

const messageColumns = 300;

const lineColumns = 1000;

const bodyLines = 200;

const plain = { paint: pc.createColors(false), width: 120 };

/** Cells of one subject that follow each other. */
interface Stretch {
  suite: string;
  name: string;
  subject: SubjectView | undefined;
  counts: Counts;
  /** How they were contained: a run may have been resumed on another machine. */
  containment: Set<string>;
}

function* render(view: ReportView): Generator<string> {
  // Counts come before the cells, so cells are read twice instead of being kept in memory.
  const stretches = readStretches(view);
  const skipped = [...groupedBy(view.report.skipped, ({ suite, level }) => suite ?? level ?? untestedSuite)];
  const all = sumCounts([
    ...stretches.map(({ counts }) => counts),
    ...skipped.map(([, group]) => skippedCounts(group)),
    notLoadedCounts(view.report.notLoaded),
  ]);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlTag("testsuites", { name: "eval-skills", ...countAttributes(all) })}\n`;
  yield* cellSuites(view, stretches);
  for (const [suite, group] of skipped) yield* skippedSuite(suite, group, view);
  yield* notLoadedSuite(view);
  yield "</testsuites>\n";
}

function* cellSuites(view: ReportView, stretches: readonly Stretch[]): Generator<string> {
  const findCase = caseFinder(view);
  let at = 0;
  let left = 0;
  for (const cell of view.results()) {
    const stretch = stretches[at];
    if (stretch === undefined) return;
    if (left === 0) {
      left = stretch.counts.tests;
      yield* openSuite(stretch, view);
    }
    yield testCase(cell, stretch, findCase(cell), view);
    if (--left > 0) continue;
    yield "  </testsuite>\n";
    at++;
  }
}

function readStretches(view: ReportView): Stretch[] {
  const stretches: Stretch[] = [];
  let last = "";
  for (const cell of view.results()) {
    const { level, suite, skillId, model, arm } = cell;
    const identity = JSON.stringify([level, suite, skillId, model, arm]);
    if (identity !== last)
      stretches.push({
        suite,
        name: subjectName(cell),
        subject: view.subjectOf(cell),
        counts: noCounts(),
        containment: new Set(),
      });
    last = identity;
    const stretch = stretches.at(-1);
    if (stretch !== undefined) count(cell, stretch);
  }
  return stretches;
}

function count(cell: CellResult, { counts, containment, subject }: Stretch): void {
  const element = resultElement(cell, subject);
  counts.tests++;
  counts.totalMs += cell.latencyMs ?? 0;
  if (element === "failure") counts.failures++;
  else if (element === "error") counts.errors++;
  else if (element === "skipped") counts.skipped++;
  if (cell.containment !== null) containment.add(describeReach(cell.containment));
}

const elements: Record<Verdict, "failure" | "error" | null> = {
  pass: null,
  fail: "failure",
  error: "error",
  timeout: "error",
  invalid: "error",
};

/** The element for the end of a cell. A failed baseline, or what is in quarantine, is skipped, since it must not fail a build. */
function resultElement({ status, quarantine }: CellResult, subject: SubjectView | undefined) {
  const isCompared = subject?.state === "reference" && status !== "invalid";
  const decidesNothing = isCompared || quarantine !== undefined;
  return decidesNothing && elements[status] !== null ? "skipped" : elements[status];
}

function* openSuite(stretch: Stretch, view: ReportView): Generator<string> {
  const { suite, name, subject, counts, containment } = stretch;
  yield `  ${xmlTag("testsuite", { name: oneLine(suite), ...countAttributes(counts), timestamp: timestamp(view) })}\n`;
  const { run, tool } = view.report;
  const own = subject?.subject;
  yield* properties({
    level: own?.level ?? null,
    subject: name,
    skillId: own?.skillId ?? null,
    skillVersion: own?.skillVersion ?? null,
    skillDigest: own?.skillDigest ?? null,
    owner: own?.owner ?? null,
    quarantined: subject === undefined ? null : countQuarantined(subject.subject) || null,
    model: own?.model ?? null,
    arm: own?.arm ?? null,
    containment: [...containment].join("; "),
    granted: view.facts.flatMap(({ label, value }) => (label === grantedLabel ? [value] : [])).join("; "),
    seed: run.seed,
    trials: own?.trials ?? null,
    runId: run.id,
    vacuousExpectations: run.vacuousExpectations.map(({ caseId }) => caseId).join(", "),
    tool: `${tool.name} ${tool.version}`,
    intervals: describeIntervals(subject?.subject.metrics ?? {}),
    ...listMetrics(subject),
  });
}

function listMetrics(view: SubjectView | undefined): Record<string, number | null> {
  const metrics = Object.entries(view?.subject.metrics ?? {});
  return Object.fromEntries(
    metrics.flatMap(([name, { value, interval }]) => [
      [name, value],
      [`${name}Lower`, interval?.lower ?? null],
      [`${name}Upper`, interval?.upper ?? null],
    ]),
  );
}

/** What is known of a suite; what is empty is left out. */
function* properties(known: Readonly<Record<string, Scalar>>): Generator<string> {
  yield "    <properties>\n";
  for (const [name, value] of Object.entries(known))
    if (value !== null && value !== "")
      yield `      ${xmlTag("property", { name: oneLine(name), value: oneLine(String(value)) }, "empty")}\n`;
  yield "    </properties>\n";
}

function testCase(
  cell: CellResult,
  { suite, name, subject }: Stretch,
  one: CaseReport | undefined,
  view: ReportView,
): string {
  const attributes = {
    name: caseName(cell, one, subject),
    classname: oneLine(`${suite}.${name}`),
    time: seconds(cell.latencyMs ?? 0),
    file: location(cell, view),
  };
  const inside = [result(cell, subject, one, view), systemOut(cell), systemErr(cell)].filter(
    (text) => text !== "",
  );
  if (inside.length === 0) return `    ${xmlTag("testcase", attributes, "empty")}\n`;
  const lines = inside.map((text) => `      ${text}\n`).join("");
  return `    ${xmlTag("testcase", attributes)}\n${lines}    </testcase>\n`;
}

/** Where a reader looks first: at the first thing that is wrong, else in the file of the case. The common schema has no place for a line. */
function location(cell: CellResult, view: ReportView): string | undefined {
  const [first] = cell.status === "fail" ? view.findings(cell) : [];
  return first?.file ?? view.options.fileOf?.(cell);
}

/** The same in every run, so that a CI server can follow it: id, title and trial. */
function caseName(cell: CellResult, one: CaseReport | undefined, subject: SubjectView | undefined): string {
  const title = one === undefined ? null : (subject?.level.caseTitle?.(one) ?? one.title);
  const named = title === null ? "" : `: ${cutWords(oneLine(title), titleColumns)}`;
  const trial = (subject?.subject.trials ?? 1) > 1 ? ` (trial ${cell.trial})` : "";
  return `${oneLine(cell.caseId)}${named}${trial}`;
}

function result(
  cell: CellResult,
  subject: SubjectView | undefined,
  one: CaseReport | undefined,
  view: ReportView,
): string {
  const element = resultElement(cell, subject);
  if (element === null) return "";
  const [first = ""] = textLines(cellReason(cell) || endWords[cell.status]);
  const message = cutWords(first, messageColumns);
  const why = cell.quarantine === undefined ? "only for comparison" : quarantineWords(cell.quarantine);
  if (element === "skipped")
    return xmlTag("skipped", { message: oneLine(`${endWords[cell.status]}, ${why}: ${message}`) }, "empty");
  const type = cell.status === "invalid" ? "invalid" : (cell.cause ?? cell.status);
  return `${xmlTag(element, { message, type })}${body(cell, one, view)}</${element}>`;
}

/** Everything that helps to find the cause without opening another file. */
function body(cell: CellResult, one: CaseReport | undefined, view: ReportView): string {
  const reason = cellReason(cell);
  const isElsewhere = (block: Block) =>
    (block.kind === "text" && block.text === reason) ||
    (block.kind === "diff" && diffJson(block.expected, block.actual).every(isStatedIn(reason))) ||
    (block.kind === "code" && block.code === cell.stderrTail);
  const blocks = view.explain(cell, one).filter((block) => !isElsewhere(block));
  const lines = [...textLines(reason), ...blocks.flatMap((block) => blockLines(block, plain))];
  return xmlLines(lines);
}

function systemOut(cell: CellResult): string {
  if (cell.status !== "pass") return "";
  const attempts = cell.attempts.slice(0, -1).map(({ n, status, code, message }) => {
    const why = [code, message].filter((word) => word !== null).join(": ");
    return `attempt ${n}: ${status}${why === "" ? "" : ` (${oneLine(why)})`}`;
  });
  const lines = [
    ...(attempts.length === 0 ? [] : [statusWords(cell), ...attempts]),
    ...(cell.quarantine === undefined ? [] : [quarantineWords(cell.quarantine)]),
    ...cell.warnings.map((warning) => `warning: ${oneLine(warning)}`),
  ];
  return lines.length === 0 ? "" : `<system-out>${xmlLines(lines)}</system-out>`;
}

function systemErr({ stderrTail }: CellResult): string {
  return stderrTail ? `<system-err>${xmlLines(textLines(stderrTail))}</system-err>` : "";
}

function xmlLines(lines: readonly string[]): string {
  const shown = limitLines(lines, bodyLines).map((line) => cutWords(line, lineColumns));
  return escapeXmlLines(shown.join("\n").trim());
}

const heldCases = 5000;

/** The case of a cell, unless there are too many to keep in memory. */
function caseFinder({ report }: ReportView): (cell: CellResult) => CaseReport | undefined {
  const many = report.suites.reduce((sum, { cases }) => sum + cases, 0) > heldCases;
  if (many) return () => undefined;
  const caseKey = (level: string, suite: string, skillId: string | null, id: string) =>
    JSON.stringify([level, suite, skillId, id]);
  const held = new Map(
    [...report.cases].map((one) => [caseKey(one.level, one.suite, one.skillId, one.id), one]),
  );
  return ({ level, suite, skillId, caseId }) =>
    held.get(caseKey(level, suite, skillId, caseId)) ?? held.get(caseKey(level, suite, null, caseId));
}
