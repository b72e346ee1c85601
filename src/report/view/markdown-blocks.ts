import type { Block, Fact, Scalar, TableColumn, Tone, Unit } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { counted, milliseconds } from "../text/format-numbers.ts";
import {
  escapeMarkdown,
  type Column as MarkdownColumn,
  markdownTable,
  numberColumn,
  wordColumn,
} from "../text/markdown.ts";
import { textWidth } from "../text/text-width.ts";
import { compactJson, patchLines } from "./diff-json.ts";
import { formatValue } from "./explain-cell.ts";
import { showFact, showValue, withNote } from "./show-value.ts";
import { cutWords, limitLines, oneLine, textLines } from "./wrap-words.ts";

/** How much of a block is shown. */
export interface BlockLimits {
  /** Of a text, a piece of code or a timeline. */
  lines: number;
  /** Of a table. */
  rows: number;
  differences: number;
  /** Whether facts are one line and not a table. */
  isCompact?: boolean;
}

const sectionLimits: BlockLimits = { lines: 100, rows: 200, differences: 100 };

/** A block as paragraphs of Markdown, to be separated by empty lines. */
export function markdownBlock(block: Block, limits: BlockLimits = sectionLimits): string[] {
  const { title } = block;
  const body = renderBody(block, limits);
  if (title === undefined || body.length === 0) return body;
  const [first = "", ...rest] = body;
  // A short body goes on the line of its title.
  if (!first.includes("\n") && block.kind !== "timeline")
    return [`**${escapeMarkdown(oneLine(title))}**: ${first}`, ...rest];
  return [`**${escapeMarkdown(oneLine(title))}**`, ...body];
}

function renderBody(block: Block, limits: BlockLimits): string[] {
  switch (block.kind) {
    case "text":
      return [marked(markdownText(block.text, limits.lines), block.tone)];
    case "facts":
      return renderFacts(block.facts, limits);
    case "table":
      return renderTable(block.columns, block.rows, limits.rows);
    case "diff":
      return renderDiff(block, limits);
    case "code":
      return [markdownCode(block.code, limits.lines, block.language)];
    case "timeline":
      return renderTimeline(block, limits);
    case "matrix":
      return renderMatrix(block, limits);
    case "bars":
      return renderBars(block);
  }
}

function marked(text: string, tone: Tone | undefined): string {
  return tone === "warn" && !text.startsWith("```") ? `⚠ ${text}` : text;
}

const maxColumns = 2000;

/** At most this many lines of a text, each of a readable length. */
function shownLines(text: string, maxLines: number): string[] {
  return limitLines(textLines(text), maxLines).map((line) => cutWords(line, maxColumns));
}

/** Untrusted text as a paragraph, with its line breaks and indentation. */
export function markdownText(text: string, maxLines: number): string {
  const lines = shownLines(text, maxLines);
  if (lines.some((line) => /^\s+\S/.test(line))) return fence(lines);
  return lines.map(markdownLine).join("  \n");
}

/** One line where a paragraph or an item of a list begins: nothing in it begins a list, a heading or a rule. */
export function markdownLine(text: string): string {
  return escapeMarkdown(text.trim()).replace(/^(?:[-+=]|\d{1,9}(?=[.)]))/, (found) =>
    /\d/.test(found) ? `${found}\\` : `\\${found}`,
  );
}

const inlineColumns = 100;

/** Code or a value: within a line where it is short, else between fences. */
function markdownCode(code: string, maxLines: number, language?: string): string {
  const value = jsonIn(code);
  const short = value === undefined ? code.trim() : compactJson(value);
  if (fits(short)) return codeSpan(short);
  return fence(shownLines(value === undefined ? code : formatValue(value), maxLines), language);
}

/** The value that a text of several lines is the JSON of. */
function jsonIn(code: string): Json | undefined {
  if (!/^[[{]\s*\n/.test(code)) return undefined;
  try {
    return JSON.parse(code);
  } catch {
    return undefined;
  }
}

function fits(text: string): boolean {
  const isShort = text.length <= inlineColumns && textWidth(text) <= inlineColumns;
  return isShort && text !== "" && !/[\n\t]|\\n/.test(text);
}

/** Nothing inside closes it: its run of backticks is longer than any inside. */
export function codeSpan(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  const shown = visibleText(text);
  const padding = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${ticks}${padding}${shown}${padding}${ticks}`;
}

/** Lines of code between fences that none of them can close. */
export function fence(lines: readonly string[], language = ""): string {
  const shown = lines.map((line) => line.split("\t").map(visibleText).join("\t"));
  const ticks = "`".repeat(Math.max(3, longestRun(shown.join("\n")) + 1));
  return [`${ticks}${language.replace(/[^\w+-]/g, "")}`, ...shown, ticks].join("\n");
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}

/** Facts in one line: `Latency: 42 ms · Tokens: 210`. */
function factLine(facts: readonly Fact[]): string {
  const shown = (text: string) => escapeMarkdown(oneLine(text));
  return facts.map((fact) => `${shown(fact.label)}: ${shown(withNote(fact))}`).join(" · ");
}

function renderFacts(facts: readonly Fact[], { isCompact, lines }: BlockLimits): string[] {
  if (facts.length === 0) return [];
  if (isCompact !== true) return [factTable(facts)];
  const short = facts.filter((fact) => !hasLines(fact));
  return [
    ...(short.length === 0 ? [] : [factLine(short)]),
    ...facts
      .filter(hasLines)
      .flatMap((fact) => [
        `${escapeMarkdown(oneLine(fact.label))}:`,
        fence(shownLines(withNote(fact), lines)),
      ]),
  ];
}

/** Values of several lines do not fit within a line. */
function hasLines(fact: Fact): boolean {
  return withNote(fact).trim().includes("\n");
}

/** Facts as a table. */
export function factTable(facts: readonly Fact[]): string {
  const hasNotes = facts.some(({ note }) => note !== undefined);
  const columns = ["Fact", "Value", ...(hasNotes ? ["Note"] : [])].map(wordColumn);
  return table(
    columns,
    facts.map((fact) => [fact.label, showFact(fact), fact.note ?? ""]),
  );
}

const cellColumns = 500;
const cellLines = 10;

function table(columns: readonly MarkdownColumn[], rows: readonly (readonly string[])[]): string {
  const cut = (cell: string) =>
    limitLines(textLines(cell), cellLines)
      .map((line) => cutWords(line, cellColumns))
      .join("\n");
  const shown = rows.map((row) => row.map(cut));
  return [...markdownTable(columns, shown)].join("").trimEnd();
}

function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly Scalar[])[],
  maxRows: number,
): string[] {
  if (rows.length === 0) return [];
  const shown = rows
    .slice(0, maxRows)
    .map((row) => row.map((value, at) => showValue(value, columns[at]?.unit)));
  const heads = columns.map(({ label, unit }) => columnHead(label, unit));
  return [table(heads, shown), ...moreRows(rows.length - maxRows)];
}

/** Figures are aligned right. */
export function columnHead(label: string, unit: Unit | undefined) {
  const title = escapeMarkdown(oneLine(label));
  return unit === undefined || unit === "text" ? wordColumn(title) : numberColumn(title);
}

function moreRows(count: number): string[] {
  return count > 0 ? [`… and ${count} more: see the JSON report`] : [];
}

function renderDiff({ expected, actual }: Extract<Block, { kind: "diff" }>, limits: BlockLimits): string[] {
  const lines = patchLines(expected, actual, limits.differences).map((line) => cutWords(line, maxColumns));
  if (lines.length > 0) return [fence(lines, "diff")];
  return [`the same value: ${markdownCode(formatValue(actual), limits.lines)}`];
}

const eventLines = 8;

function renderTimeline(
  { events, note }: Extract<Block, { kind: "timeline" }>,
  { lines }: BlockLimits,
): string[] {
  if (events.length === 0) return [];
  const items = events.slice(0, lines).map(({ atMs, label, text, quote, cut }) => {
    const when = atMs === null ? "" : `${milliseconds(atMs)} · `;
    const [first = "", ...rest] = text === "" ? [] : shownLines(text, eventLines);
    const body = [escapeMarkdown(first.trim()), ...rest.map(markdownLine)].join("  \n  ");
    const head = `- ${when}**${escapeMarkdown(oneLine(label))}**${body === "" ? "" : `: ${body}`}`;
    if (quote === undefined) return head;
    const more = cut === undefined ? [] : [`… ${counted(cut, "more character")}`];
    const quoted = fence([...shownLines(quote, eventLines), ...more]);
    return `${head}\n\n  ${quoted.replaceAll("\n", "\n  ")}\n`;
  });
  return [
    items.join("\n").trimEnd(),
    ...moreRows(events.length - lines),
    ...(note === undefined ? [] : [markdownLine(note)]),
  ];
}

function renderMatrix(
  { rows, columns, cells, unit }: Extract<Block, { kind: "matrix" }>,
  limits: BlockLimits,
) {
  const heads = [wordColumn(""), ...columns.map((label) => numberColumn(escapeMarkdown(oneLine(label))))];
  const shown = rows
    .slice(0, limits.rows)
    .map((label, at) => [label, ...(cells[at] ?? []).map(({ value }) => showValue(value, unit))]);
  return [table(heads, shown), ...moreRows(rows.length - limits.rows)];
}

const barWidth = 20;

function renderBars({ bars }: Extract<Block, { kind: "bars" }>): string[] {
  if (bars.length === 0) return [];
  const most = Math.max(...bars.map(({ value }) => value), 0);
  const hasNotes = bars.some(({ note }) => note !== undefined);
  const heads = [
    wordColumn(""),
    numberColumn("Count"),
    wordColumn(""),
    ...(hasNotes ? [wordColumn("")] : []),
  ];
  const rows = bars.map(({ label, value, note }) => [
    label,
    showValue(value, "count"),
    most > 0 ? "█".repeat(Math.round((value / most) * barWidth)) : "",
    note ?? "",
  ]);
  return [table(heads, rows)];
}
