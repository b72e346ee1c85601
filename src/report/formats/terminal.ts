import pc from "picocolors";
import { subjectName } from "../../contract/cell.ts";
import type { Format, ReportView, SubjectView } from "../../contract/format.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { grouped } from "../text/format-numbers.ts";
import { textWidth } from "../text/text-width.ts";
import { rerunWords } from "../view/metric-fact.ts";
import {
  fileWords,
  findRetries,
  groupSubjects,
  isOpen,
  moreWords,
  type Retries,
  retryWords,
  type SubjectGroup,
  sameCause,
  showCommand,
  stableFiles,
} from "../view/outline.ts";
import { withNote } from "../view/show-value.ts";
import { blockLines, factLines } from "../view/text-blocks.ts";
import { type CaseTerms, caseLines } from "../view/text-cases.ts";
import { subjectRows } from "../view/text-rows.ts";
import { countWords, stateMarks, verdictMark } from "../view/verdict-words.ts";
import { cutWords, limitLines, oneLine, wrapText, wrapWords } from "../view/wrap-words.ts";

/** Reports for people at a terminal: what failed first, the verdict last. */
export const terminalFormat = { format: "terminal", extension: "txt", render } satisfies Format;

const defaultWidth = 100;
const minWidth = 40;
/** Longer lines are hard to read, however wide a terminal is. */
const maxTextWidth = 120;
/** Subjects that failed and are named without what failed in them. */
const maxBrief = 20;
/** Up to this many subjects that passed are all named; of more, the first few. */
const maxPassed = 15;
const firstPassed = 10;
/** About how many cases all subjects together show; of many subjects, each shows fewer. */
const aboutCases = 20;
const minCases = 2;
const maxWarnings = 3;
const maxWarningLines = 3;
const maxVerdictReasons = 8;

interface Screen extends CaseTerms {
  retries: ReadonlyMap<SubjectView, Retries>;
  /** The listed subjects. */
  named: ReadonlySet<SubjectView>;
  /** Subjects whose failures are shown, and how many of each. */
  detailed: ReadonlySet<SubjectView>;
  maxCases: number;
}

function* render(view: ReportView): Generator<string> {
  let isBlank = true;
  for (const line of reportLines(view)) {
    if (line === "" && isBlank) continue;
    isBlank = line === "";
    yield `${line}\n`;
  }
}

function* reportLines(view: ReportView): Generator<string> {
  const { color, width, maxFailures, onlySubject } = view.options;
  const subjects = onlySubject === null ? view.subjects : findSubjects(view, onlySubject);
  const named = maxFailures === null ? subjects : chooseSubjects(subjects, maxFailures.subjects);
  const detailed = subjects.filter(isOpen).slice(0, maxFailures?.subjects);
  const fairShare = Math.max(minCases, Math.floor(aboutCases / Math.max(1, detailed.length)));
  const screen: Screen = {
    view,
    paint: pc.createColors(color),
    width: Math.max(minWidth, Math.min(width ?? defaultWidth, maxTextWidth)),
    isFull: maxFailures === null,
    retries: findRetries(view),
    named: new Set(named),
    detailed: new Set(detailed),
    maxCases: maxFailures === null ? Number.POSITIVE_INFINITY : Math.min(maxFailures.cases, fairShare),
  };
  for (const group of groupSubjects(view, named)) yield* groupLines(group, screen);
  yield* unlistedLines(subjects, screen);
  if (screen.isFull) yield* sectionLines(screen);
  yield* noteLines(subjects, screen);
  yield* verdictLines(subjects, screen);
}

function findSubjects({ subjects }: ReportView, name: string): SubjectView[] {
  const found = subjects.filter((one) => [one.name, one.shortName, subjectName(one.subject)].includes(name));
  if (found.length > 0) return found;
  const names = [...new Set(subjects.map(({ shortName }) => shortName))];
  const near = nearest(name, names);
  throw new UserError("usage", `the report has no subject ${JSON.stringify(name)}`, {
    hint: near === null ? `it has ${listed(names, 10)}` : `did you mean ${near}?`,
  });
}

/** The subjects of a short report: passed ones only if all failed ones are listed. */
function chooseSubjects(subjects: readonly SubjectView[], maxDetailed: number): SubjectView[] {
  const open = subjects.filter(isOpen);
  const passed = subjects.filter(({ state }) => state === "passed");
  const reference = subjects.filter(({ state }) => state === "reference");
  const maxOpen = maxDetailed + maxBrief;
  return [
    ...open.slice(0, maxOpen),
    ...(open.length > maxOpen ? [] : passed.length > maxPassed ? passed.slice(0, firstPassed) : passed),
    ...reference.slice(0, maxPassed),
  ];
}

function* groupLines({ head, subjects }: SubjectGroup, screen: Screen): Generator<string> {
  const { paint, view } = screen;
  yield "";
  yield paint.bold(cutWords(oneLine(head), screen.width));
  const { rows, key } = subjectRows(subjects, { ...screen, maxColumns: view.options.width });
  let isAfterDetails = false;
  let hasReference = false;
  for (const [at, { view: subject }] of subjects.entries()) {
    if (isAfterDetails) yield "";
    if (subject.state === "reference" && !hasReference) {
      hasReference = true;
      yield paint.dim("  to compare with, not part of the verdict:");
    }
    yield* rows[at] ?? [];
    const details = [...detailLines(subject, screen)];
    yield* details;
    isAfterDetails = details.length > 0;
  }
  if (key !== null) {
    if (isAfterDetails) yield "";
    yield* indented(wrapWords(key, screen.width - 2), 2).map(paint.dim);
  }
  yield "";
}

/** What is known of a subject besides its figures. */
function* detailLines(subject: SubjectView, screen: Screen): Generator<string> {
  const { view, paint, isFull } = screen;
  const { onlySubject } = view.options;
  if (screen.detailed.has(subject)) {
    const { cases, more } = view.failures(subject, screen.maxCases);
    for (const [first, ...others] of groupedBy(cases, sameCause).values()) {
      yield* indented(caseLines(first, { ...screen, width: screen.width - 4 }), 4);
      const names = others.map(({ caseId }) => caseId);
      if (names.length > 0)
        yield* indented(wrapWords(oneLine(`the same in ${names.join(", ")}`), screen.width - 6), 6);
    }
    if (more > 0) yield paint.dim(`    … ${moreWords(more, subject)}`);
  }
  const retries = screen.retries.get(subject);
  if (retries !== undefined)
    yield* indented(wrapWords(oneLine(retryWords(retries, subject)), screen.width - 4), 4).map(paint.yellow);
  const rerun = view.options.isVerbose ? rerunWords(subject) : null;
  if (rerun !== null) yield* indented(wrapWords(oneLine(rerun), screen.width - 4), 4).map(paint.dim);
  if (isFull && onlySubject !== null)
    for (const block of view.subjectBlocks(subject)) {
      yield "";
      yield* indented(blockLines(block, { paint, width: screen.width - 4 }), 4);
    }
}

/** How many subjects are not named. */
function* unlistedLines(subjects: readonly SubjectView[], { paint, named }: Screen): Generator<string> {
  const hidden = subjects.filter((one) => !named.has(one));
  const open = hidden.filter(isOpen).length;
  const passed = hidden.filter(({ state }) => state === "passed").length;
  yield "";
  if (open > 0) yield paint.red(`… and ${grouped(open)} more that did not pass`);
  if (passed > 0) yield paint.dim(`… and ${grouped(passed)} more that passed`);
  yield "";
}

/** Whether something failed that is not on the screen. */
function isCut(subjects: readonly SubjectView[], { view, detailed, maxCases }: Screen): boolean {
  return subjects.filter(isOpen).some((one) => !detailed.has(one) || view.failures(one, maxCases).more > 0);
}

function* sectionLines({ view, paint, width }: Screen): Generator<string> {
  if (view.options.onlySubject !== null) return;
  for (const { title, note, blocks } of view.sections()) {
    yield "";
    yield paint.bold(oneLine(title));
    if (note !== undefined) yield* indented(wrapText(note, width - 2), 2).map(paint.dim);
    for (const block of blocks) {
      yield* indented(blockLines(block, { paint, width: width - 2 }), 2);
      yield "";
    }
  }
  yield "";
  yield paint.bold("Run");
  yield* indented(factLines(view.facts, { paint, width: width - 2 }), 2);
  yield "";
}

/** Skipped parts, warnings, and where to find the rest. */
function* noteLines(subjects: readonly SubjectView[], screen: Screen): Generator<string> {
  const { view, paint, width, isFull } = screen;
  const { warnings, files } = view.report;
  yield "";
  // Notes that affect how far the figures can be trusted.
  const notes = isFull ? [] : view.facts.filter(({ isNote }) => isNote === true);
  for (const fact of notes)
    yield* wrapWords(oneLine(`${fact.label}: ${withNote(fact)}`), width).map(
      fact.tone === "warn" ? paint.yellow : paint.dim,
    );
  for (const line of view.skipped) yield* wrapWords(`skipped: ${oneLine(line)}`, width).map(paint.dim);
  for (const line of view.quarantined)
    yield* wrapWords(`in quarantine: ${oneLine(line)}`, width).map(paint.yellow);
  if (warnings.length > 0) yield paint.yellow(`${pluralize(warnings.length, "warning")}:`);
  for (const warning of isFull ? warnings : warnings.slice(0, maxWarnings)) {
    const lines = wrapText(warning, width - 4);
    const shown = isFull ? lines : limitLines(lines, maxWarningLines);
    yield* shown.map((line, at) => `  ${at === 0 ? "-" : " "} ${line}`);
  }
  if (!isFull && warnings.length > maxWarnings)
    yield paint.dim(`  … and ${grouped(warnings.length - maxWarnings)} more`);
  if (isCut(subjects, screen))
    yield paint.dim(`everything that failed: ${oneLine(showCommand(view.report))}`);
  // A full report was read from a file, so no path is printed.
  if (!isFull && files.length > 0) yield paint.dim(fileLine(view));
  yield "";
}

/** Paths are not wrapped: if they do not all fit, only the first is shown. */
function fileLine({ report, options }: ReportView): string {
  const all = oneLine(fileWords(report));
  const [first = ""] = stableFiles(report).map(oneLine);
  return textWidth(all) <= (options.width ?? Number.POSITIVE_INFINITY) ? all : `${first} …`;
}

function* verdictLines(
  subjects: readonly SubjectView[],
  { view, paint, width, isFull }: Screen,
): Generator<string> {
  const { verdict, options } = view;
  const [only] = subjects;
  const isAlone = options.onlySubject !== null && only !== undefined;
  const mark = isAlone ? stateMarks[only.state] : verdictMark(view);
  const tone = { "✓": paint.green, "✗": paint.red, "·": paint.dim }[mark] ?? paint.yellow;
  if (isAlone) {
    yield* wrapWords(`the whole run: ${oneLine(verdict.words)}`, width).map(paint.dim);
    const words = countWords(subjects.map((one) => ({ ...one, state: "passed" })));
    yield paint.bold(tone(`${mark} ${oneLine(only.shortName)}: ${words}`));
    return;
  }
  const reasons = isFull ? verdict.reasons : limitLines(verdict.reasons, maxVerdictReasons);
  for (const reason of reasons) yield* wrapWords(oneLine(reason), width);
  yield paint.bold(tone(`${mark} ${oneLine(verdict.words)}`));
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === "" ? "" : `${" ".repeat(by)}${line}`));
}
