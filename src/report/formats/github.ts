import type { FailedCase, Format, ReportView, SubjectView } from "../../contract/format.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { grouped, milliseconds } from "../text/format-numbers.ts";
import { escapeHtml } from "../text/html-text.ts";
import { escapeMarkdown, markdownTable, wordColumn } from "../text/markdown.ts";
import { patchLines } from "../view/diff-json.ts";
import { type IntervalKey, intervalKey } from "../view/interval-words.ts";
import { columnHead, fence, markdownText } from "../view/markdown-blocks.ts";
import {
  caseWords,
  fileWords,
  findRetries,
  groupSubjects,
  isInformative,
  isOpen,
  knownFigures,
  moreWords,
  retryWords,
  type SubjectGroup,
  sameCause,
  tallyWords,
} from "../view/outline.ts";
import { containmentLabel, grantedLabel } from "../view/run-facts.ts";
import { showInTable } from "../view/show-value.ts";
import { stateMarks, verdictMark } from "../view/verdict-words.ts";
import { cutWords, limitLines, oneLine, textLines } from "../view/wrap-words.ts";

/** The page of a job on GitHub, short enough to be a comment on a pull request as well. */
export const githubFormat = { format: "github", extension: "github.md", render } satisfies Format;

/** GitHub refuses a comment above 65,536 characters. */
const maxChars = 64_000;
const maxHeadChars = 6_000;
const maxTableChars = 16_000;
const minTableChars = 1_000;
const maxRows = 30;
const maxFootChars = 8_000;
const maxCases = 20;
const maxDetailed = 25;
const maxUnfolded = 3;
const maxListed = 10;
const maxReasonLines = 12;
const maxDifferences = 4;
const maxPatchLines = 24;
const maxTextChars = 600;

function* render(view: ReportView): Generator<string> {
  const head = `## ${verdictMark(view)} ${inline(view.verdict.words)}\n${reasonList(view)}`;
  const tables = subjectTables(view);
  const foot = footer(view);
  const charsLeft = maxChars - head.length - tables.length - foot.length;
  for (const piece of [head, tables, ...failedSubjects(view, charsLeft), foot]) yield withoutCommands(piece);
}

/** A workflow may print the file, so it must not contain workflow commands. */
function withoutCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, "$1: ").replaceAll("##[", "## [");
}

/** Untrusted text as one line without formatting, links or mentions: GitHub finds names and issue numbers after rendering Markdown. */
function inline(text: string, maxColumns = maxTextChars): string {
  return silent(escapeMarkdown(cutWords(oneLine(text), maxColumns)));
}

function silent(markdown: string): string {
  return markdown
    .replaceAll("\\@", "@&#8203;")
    .replace(/\\#(?=\d)/g, "#&#8203;")
    .replace(/\b(GH)-(?=\d)/gi, "$1-&#8203;");
}

/** The same inside a tag, where Markdown does not reach. */
function summaryText(text: string): string {
  return escapeHtml(text)
    .replace(/[[\]!`*:.]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/@|(?<!&)#(?=\d)|\bGH-(?=\d)/gi, "$&&#8203;");
}

/** As many whole entries as fit, then how many were left out. */
function fitting(entries: Iterable<string>, maxLength: number, more: (count: number) => string): string {
  let text = "";
  let left = 0;
  for (const entry of entries)
    if (left > 0 || text.length + entry.length > maxLength) left++;
    else text += entry;
  return left === 0 ? text : `${text}${more(left)}`;
}

function reasonList({ verdict }: ReportView): string {
  if (verdict.reasons.length === 0) return "";
  const items = verdict.reasons.map((reason) => `- ${inline(reason, 1000)}\n`);
  return `\n${fitting(items, maxHeadChars, (left) => `- … and ${grouped(left)} more\n`)}`;
}

/** A table per suite, what failed first. */
function subjectTables(view: ReportView): string {
  const groups = groupSubjects(view, view.subjects);
  let text = "";
  for (const [at, group] of groups.entries()) {
    const charsLeft = maxTableChars - text.length;
    if (charsLeft < minTableChars) return `${text}\n… and ${pluralize(groups.length - at, "more suite")}\n`;
    text += subjectTable(group, charsLeft);
  }
  return text;
}

function subjectTable({ head, subjects }: SubjectGroup, charsLeft: number): string {
  const figures = knownFigures(subjects.map(({ view }) => view));
  const key = intervalKey(subjects.flatMap(({ view }) => view.facts));
  const noun = subjects[0]?.view.level.nouns.subject ?? "subject";
  const columns = [
    wordColumn(""),
    wordColumn(inline(sentenceCase(noun))),
    wordColumn("Result"),
    ...figures.map(({ label, unit }) => columnHead(sentenceCase(label), unit)),
  ];
  const rows = subjects
    .slice(0, maxRows)
    .map(({ view, name }) => [
      stateMarks[view.state],
      cutWords(oneLine(name), 100),
      `${tallyWords(view)}${view.state === "reference" ? " (for comparison)" : ""}`,
      ...figures.map(({ label }) => factText(view, label, key)),
    ]);
  const unlisted = subjects.length - rows.length;
  const more = (left: number) => `\n… and ${grouped(left + unlisted)} more\n`;
  const table = fitting([...markdownTable(columns, rows)].map(silent), charsLeft, more);
  const rest = unlisted > 0 && !table.endsWith("more\n") ? more(0) : "";
  const intervals = key.words === null ? "" : `\n${inline(key.words)}\n`;
  return `\n**${inline(head)}**\n\n${table}${rest}${intervals}`;
}

function factText({ facts }: SubjectView, label: string, key: IntervalKey): string {
  const fact = facts.find((one) => one.label === label);
  return fact === undefined ? "" : oneLine(showInTable(fact, key));
}

function sentenceCase(label: string): string {
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
}

/** Failures by subject, as many as fit; folded where there are many. */
function* failedSubjects(view: ReportView, charsLeft: number): Generator<string> {
  const open = view.subjects.filter((one) => isOpen(one) && one.tally.failed + one.tally.unknown > 0);
  if (open.length === 0) return;
  yield `\n### ${open.some(({ tally }) => tally.failed > 0) ? "What failed" : "Without a verdict"}\n`;
  let left = charsLeft - 200;
  let shown = 0;
  for (const subject of open.slice(0, maxDetailed)) {
    const text = foldedCases(view, subject, left, open.length <= maxUnfolded);
    if (text === null) break;
    left -= text.length;
    shown++;
    yield text;
  }
  if (shown < open.length) yield `\n… and ${grouped(open.length - shown)} more that did not pass\n`;
}

/** The failed cases of a subject as a block that can be folded; null where not one of them fits. */
function foldedCases(
  view: ReportView,
  subject: SubjectView,
  charsLeft: number,
  isUnfolded: boolean,
): string | null {
  const { cases, more } = view.failures(subject, maxCases);
  const groups = [...groupedBy(cases, sameCause).values()];
  const entries = groups.map(([first, ...others]) => ({
    text: caseItem(first, view, others),
    count: 1 + others.length,
  }));
  const open = isUnfolded ? "<details open>" : "<details>";
  const name = summaryText(cutWords(oneLine(subject.name), 200));
  const begin = `\n${open}<summary>${name}: ${tallyWords(subject)}</summary>\n\n`;
  const end = "\n</details>\n";
  let text = "";
  let left = more;
  for (const entry of entries)
    if (begin.length + text.length + entry.text.length + end.length + 100 > charsLeft) left += entry.count;
    else text += entry.text;
  if (text === "" && entries.length > 0) return null;
  return `${begin}${text}${left === 0 ? "" : `\n… ${moreWords(left, subject)}\n`}${end}`;
}

/** A failed case as an item of a list. */
function caseItem(one: FailedCase, view: ReportView, others: readonly FailedCase[]): string {
  const { caseId, title, cell } = one;
  const name = `**${inline(caseId, 200)}**`;
  const lines = shortened(textLines(caseWords(one)));
  const isShort = lines.length === 1;
  const why = isShort ? inline(lines[0] ?? "") : textBlock(lines);
  const isTitled = title !== null && title !== "";
  const head = isTitled ? `${name} ${inline(title, 200)}` : name;
  const begin = isShort ? [isTitled ? `${head}  \n${why}` : `${head}: ${why}`] : [head, why];
  const differences = view.explain(cell, one.one).flatMap((block) => {
    if (block.kind !== "diff" || !isInformative(block, one.reason)) return [];
    const patch = patchLines(block.expected, block.actual, maxDifferences);
    const more = patch.length - maxPatchLines;
    const rest = more > 0 ? [`  … ${pluralize(more, "more line")}`] : [];
    return [fence([...patch.slice(0, maxPatchLines).map(shortLine), ...rest], "diff")];
  });
  const same =
    others.length === 0 ? [] : [inline(`the same in ${others.map((other) => other.caseId).join(", ")}`)];
  const text = [...begin, ...differences, ...same].join("\n\n");
  return `- ${text.replace(/\n(?=.)/g, "\n  ")}\n`;
}

/** Lines stay lines. */
function textBlock(lines: readonly string[]): string {
  const text = markdownText(lines.join("\n"), maxReasonLines);
  return text.startsWith("```") ? text : silent(text);
}

function shortLine(line: string): string {
  return cutWords(line, maxTextChars);
}

function shortened(lines: readonly string[]): string[] {
  return limitLines(lines, maxReasonLines).map(shortLine);
}

/** What else a reader should know, with how the run was made in one line. */
function footer(view: ReportView): string {
  const { report } = view;
  const retries = [...findRetries(view)].map(
    ([subject, found]) => `- ${inline(subject.name, 100)}: ${inline(retryWords(found, subject))}\n`,
  );
  const more = (left: number) => `- … and ${grouped(left)} more\n`;
  const list = (title: string, items: readonly string[]) => {
    if (items.length === 0) return "";
    const cut = items.slice(0, maxListed);
    const rest = items.length > cut.length ? more(items.length - cut.length) : "";
    return `${title === "" ? "" : `\n${title}\n`}\n${fitting(cut, maxFootChars / 4, more)}${rest}`;
  };
  return [
    list("", retries),
    list(
      "**Skipped**",
      view.skipped.map((line) => `- ${inline(line)}\n`),
    ),
    list(
      "**In quarantine**",
      view.quarantined.map((line) => `- ${inline(line)}\n`),
    ),
    list(
      "**Granted**",
      view.facts.flatMap(({ label, value }) =>
        label === grantedLabel ? [`- ${inline(String(value))}\n`] : [],
      ),
    ),
    list(
      `**${pluralize(report.warnings.length, "warning")}**`,
      report.warnings.map((warning) => `- ${inline(warning)}\n`),
    ),
    `\n${runLine(view)}\n`,
  ].join("");
}

function runLine({ report, facts }: ReportView): string {
  const { run, tool, files } = report;
  const tookMs = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const parts = [
    `${tool.name} ${tool.version}`,
    `run ${run.id}`,
    ...(Number.isFinite(tookMs) ? [`took ${milliseconds(tookMs)}`] : []),
    ...(run.models.length === 0 ? [] : [run.models.join(", ")]),
    ...facts.filter(({ label }) => label === containmentLabel).map(({ value }) => String(value)),
    ...(files.length === 0 ? [] : [fileWords(report)]),
  ];
  return parts.map((part) => inline(part, 200)).join(" · ");
}
