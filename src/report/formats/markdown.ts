import type { FailedCase, Format, ReportView, SubjectView } from "../../contract/format.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { counted, grouped } from "../text/format-numbers.ts";
import { escapeMarkdown, markdownTable, wordColumn } from "../text/markdown.ts";
import { cellReason } from "../view/cell-words.ts";
import { diffJson } from "../view/diff-json.ts";
import { intervalKey } from "../view/interval-words.ts";
import {
  type BlockLimits,
  columnHead,
  factTable,
  markdownBlock,
  markdownLine,
  markdownText,
} from "../view/markdown-blocks.ts";
import {
  findRetries,
  groupSubjects,
  isOpen,
  knownFigures,
  retryWords,
  type SubjectGroup,
  sameCause,
  tallyWords,
} from "../view/outline.ts";
import { showInTable } from "../view/show-value.ts";
import { isStatedIn } from "../view/text-blocks.ts";
import { countWords, stateMarks } from "../view/verdict-words.ts";
import { cutWords, oneLine, textLines } from "../view/wrap-words.ts";

/** The report for people: reads well as it is, and better when rendered. */
export const markdownFormat = { format: "markdown", extension: "md", render } satisfies Format;

const maxSubjects = 100;
const maxCases = 50;
const caseLimits: BlockLimits = { lines: 40, rows: 40, differences: 20, isCompact: true };
const titleColumns = 120;

function* render(view: ReportView): Generator<string> {
  yield `# ${escapeMarkdown(oneLine(view.verdict.words))}\n`;
  for (const paragraph of paragraphs(view)) yield `\n${paragraph}\n`;
}

function* paragraphs(view: ReportView): Generator<string> {
  yield* list(view.verdict.reasons.map((reason) => `**${sentence(reason)}**`));
  yield* subjectTables(view);
  yield* section("Warnings", list(view.report.warnings.map(markdownLines)));
  yield* failedSubjects(view);
  yield* section("Passed on a retry", list(retriedLines(view)));
  for (const { title, note, blocks } of view.sections())
    yield* section(title, [
      ...(note === undefined ? [] : [markdownText(note, 20)]),
      ...blocks.flatMap((block) => markdownBlock(block)),
    ]);
  yield* subjectDetails(view);
  yield* section("Skipped", list(view.skipped.map(markdownLines)));
  yield* section("Run", view.facts.length === 0 ? [] : [factTable(view.facts)]);
  yield* section("Files", list(view.report.files.map(markdownLine)));
}

/** A heading with what belongs under it; nothing where there is nothing to say. */
function* section(title: string, body: Iterable<string>): Generator<string> {
  let isBegun = false;
  for (const paragraph of body) {
    if (!isBegun) yield `## ${escapeMarkdown(oneLine(title))}`;
    isBegun = true;
    yield paragraph;
  }
}

/** Items that are Markdown already; a single one needs no list. */
function list(items: readonly string[]): string[] {
  const [only] = items;
  if (only === undefined) return [];
  return items.length === 1 ? [only] : [items.map((item) => `- ${item}`).join("\n")];
}

/** Text with all its lines, as an item of a list can have them. */
function markdownLines(text: string): string {
  return textLines(text).map(markdownLine).join("  \n  ");
}

function sentence(words: string): string {
  return markdownLine(capitalized(oneLine(words)));
}

function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The subjects with their figures, those that failed first. Figures of two suites may have no common columns. */
function* subjectTables(view: ReportView): Generator<string> {
  const groups = groupSubjects(view, view.subjects);
  for (const { head, subjects } of groups) {
    if (groups.length > 1) yield `### ${escapeMarkdown(oneLine(head))}`;
    yield* subjectTable(subjects);
  }
}

function* subjectTable(subjects: SubjectGroup["subjects"]): Generator<string> {
  const key = intervalKey(subjects.flatMap(({ view }) => view.facts));
  const figures = knownFigures(subjects.map(({ view }) => view));
  const heads = figures.map(({ label, unit }) => columnHead(capitalized(label), unit));
  const rows = subjects.map(({ view, name }) => [
    oneLine(name),
    stateWords(view),
    ...figures.map(({ label }) => {
      const fact = view.facts.find((one) => one.label === label);
      return fact === undefined ? "" : showInTable(fact, key);
    }),
  ]);
  yield [...markdownTable([wordColumn("Subject"), wordColumn("State"), ...heads], rows)].join("").trimEnd();
  if (key.words !== null) yield escapeMarkdown(key.words);
}

/** The status of a subject with its count: `✗ 15 of 60 failed`. */
function stateWords(view: SubjectView): string {
  const note = view.state === "reference" ? " (for comparison)" : "";
  return `${stateMarks[view.state]} ${tallyWords(view)}${note}`;
}

function* failedSubjects(view: ReportView): Generator<string> {
  const open = view.subjects.filter(isOpen);
  const failed = open.filter((subject) => view.failures(subject, maxCases).cases.length > 0);
  const hasFailed = failed.some(({ state }) => state === "failed");
  yield* section(hasFailed ? "What failed" : "Without a verdict", failedSections(view, failed));
}

function* failedSections(view: ReportView, failed: readonly SubjectView[]): Generator<string> {
  for (const subject of failed.slice(0, maxSubjects)) {
    const { cases, more } = view.failures(subject, maxCases);
    yield `### ${escapeMarkdown(oneLine(subject.name))}: ${escapeMarkdown(countWords([subject]))}`;
    for (const [first, ...others] of groupedBy(cases, sameCause).values()) {
      yield* failedCase(first, subject, view);
      yield* sameIn(others);
    }
    if (more > 0) yield `… and ${grouped(more)} more ${more === 1 ? "case" : "cases"}: see the JSON report`;
  }
  const more = failed.length - maxSubjects;
  if (more > 0) yield `… and ${grouped(more)} more: see the JSON report`;
}

/** Cases that failed for the same reason, by name only. */
function* sameIn(cases: readonly FailedCase[]): Generator<string> {
  if (cases.length === 0) return;
  const head = `The same in ${counted(cases.length, "more case")}:`;
  if (cases.every(({ title }) => title === null)) yield `${head} ${cases.map(caseName).join(", ")}`;
  else yield* [head, cases.map((one) => `- ${caseHead(one)}`).join("\n")];
}

/** Id and title. */
function caseHead(failure: FailedCase): string {
  const title = shownTitle(failure);
  return `${caseName(failure)}${title === "" ? "" : `: ${escapeMarkdown(title)}`}`;
}

function shownTitle({ title }: FailedCase): string {
  return title === null ? "" : cutWords(oneLine(title), titleColumns);
}

function caseName({ caseId }: FailedCase): string {
  return escapeMarkdown(oneLine(caseId));
}

/** A case that did not pass: how its trials ended, why, what was expected and what came. */
function* failedCase(failure: FailedCase, subject: SubjectView, view: ReportView): Generator<string> {
  const { words, reason, cell, one, blocks } = failure;
  yield `#### ${caseHead(failure)}`;
  yield* reasonParagraphs(words, reason);
  const facts: Fact[] = subject.subject.trials > 1 ? [{ label: "Trial", value: cell.trial }] : [];
  for (const block of [...blocks, ...view.explain(cell, one)]) {
    if (isRedundant(block, failure)) continue;
    if (block.kind === "facts" && block.title === undefined) facts.push(...block.facts);
    else yield* markdownBlock(block, caseLimits);
  }
  // Facts of the whole run are listed with the run, and cell keys are noise here.
  const isNews = ({ label, value }: Fact) =>
    value !== cell.key && !view.facts.some((fact) => fact.label === label && fact.value === value);
  yield* markdownBlock({ kind: "facts", facts: facts.filter(isNews) }, caseLimits);
}

/** Whether a block repeats the reason or the title. */
function isRedundant(block: Block, failure: FailedCase): boolean {
  const { reason, cell } = failure;
  switch (block.kind) {
    case "text":
      return block.title === undefined && [reason, cellReason(cell)].includes(block.text);
    case "code":
      return [block.code, `“${block.code}”`].some((code) => isTitle(code, shownTitle(failure)));
    case "diff":
      return diffJson(block.expected, block.actual).every(isStatedIn(reason));
    default:
      return false;
  }
}

/** Whether a title says all of it: the titles of some cases are their inputs. */
function isTitle(code: string, title: string): boolean {
  return title === code || (code.startsWith("“") && title.endsWith(code));
}

function* reasonParagraphs(words: string, reason: string): Generator<string> {
  const head = `**${sentence(words)}**`;
  if (reason === "") yield head;
  else if (/\n/.test(reason.trim())) yield* [`${head}:`, markdownText(reason, caseLimits.lines)];
  else yield `${head}: ${escapeMarkdown(cutWords(reason.trim(), 2000))}`;
}

function retriedLines(view: ReportView): string[] {
  return [...findRetries(view)].map(
    ([subject, retries]) =>
      `${markdownLine(oneLine(subject.name))}: ${escapeMarkdown(oneLine(retryWords(retries, subject)))}`,
  );
}

function* subjectDetails(view: ReportView): Generator<string> {
  const detailed = view.subjects
    .slice(0, maxSubjects)
    .map((subject) => ({ subject, blocks: view.subjectBlocks(subject) }))
    .filter(({ blocks }) => blocks.length > 0);
  yield* section(
    "Subjects",
    detailed.flatMap(({ subject, blocks }) => [
      `### ${escapeMarkdown(oneLine(subject.name))}`,
      ...blocks.flatMap((block) => markdownBlock(block)),
    ]),
  );
}
