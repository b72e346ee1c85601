import type { Block, Fact, Scalar, TableColumn, Tone, Unit } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { milliseconds } from "../text/format-numbers.ts";
import {
  escapeMarkdown,
  type Column as MarkdownColumn,
  markdownTable,
  numberColumn,
  wordColumn,
} from "../text/markdown.ts";
import { textWidth } from "../text/text-width.ts";
import { compactJson, patchLines } from "./diff-json.ts";
import { textOf } from "./explain-cell.ts";
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

/** A block as paragraphs of Markdown, which stand apart by an empty line. */
export function markdownBlock(block: Block, limits: BlockLimits = sectionLimits): string[] {
  const { title } = block;
  const body = bodyOf(block, limits);
  if (title === undefined || body.length === 0) return body;
  const [first = "", ...rest] = body;
  // What fits behind its title stands there.
  if (!first.includes("\n") && block.kind !== "timeline")
    return [`**${escapeMarkdown(oneLine(title))}**: ${first}`, ...rest];
  return [`**${escapeMarkdown(oneLine(title))}**`, ...body];
}

function bodyOf(block: Block, limits: BlockLimits): string[] {
  switch (block.kind) {
    case "text":
      return [marked(markdownText(block.text, limits.lines), block.tone)];
    case "facts":
      return factsOf(block.facts, limits);
    case "table":
      return tableOf(block.columns, block.rows, limits.rows);
    case "diff":
      return diffOf(block, limits);
    case "code":
      return [markdownCode(block.code, limits.lines, block.language)];
    case "timeline":
      return timelineOf(block, limits);
    case "matrix":
      return matrixOf(block, limits);
    case "bars":
      return barsOf(block);
  }
}

function marked(text: string, tone: Tone | undefined): string {
  return tone === "warn" && !text.startsWith("```") ? `⚠ ${text}` : text;
}

const maxColumns = 2000;

/** At most this many lines of a text, each of a length that somebody may read. */
function shownLines(text: string, maxLines: number): string[] {
  return limitLines(textLines(text), maxLines).map((line) => cutWords(line, maxColumns));
}

/** Text of a stranger as a paragraph. Lines stay lines, and where they are indented so does that. */
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
  return fence(shownLines(value === undefined ? code : textOf(value), maxLines), language);
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

/** Nothing inside closes it: the marks around it are longer than any inside. */
export function codeSpan(text: string): string {
  const marks = "`".repeat(longestRun(text) + 1);
  const shown = visibleText(text);
  const room = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${marks}${room}${shown}${room}${marks}`;
}

/** Lines of code between fences that none of them can close. */
export function fence(lines: readonly string[], language = ""): string {
  const shown = lines.map((line) => line.split("\t").map(visibleText).join("\t"));
  const marks = "`".repeat(Math.max(3, longestRun(shown.join("\n")) + 1));
  return [`${marks}${language.replace(/[^\w+-]/g, "")}`, ...shown, marks].join("\n");
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}

/** Facts in one line: `Latency: 42 ms · Tokens: 210`. */
function factLine(facts: readonly Fact[]): string {
  const shown = (text: string) => escapeMarkdown(oneLine(text));
  return facts.map((fact) => `${shown(fact.label)}: ${shown(withNote(fact))}`).join(" · ");
}

function factsOf(facts: readonly Fact[], { isCompact, lines }: BlockLimits): string[] {
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

/** Several lines have no place within a line. */
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

function tableOf(
  columns: readonly TableColumn[],
  rows: readonly (readonly Scalar[])[],
  maxRows: number,
): string[] {
  if (rows.length === 0) return [];
  const shown = rows
    .slice(0, maxRows)
    .map((row) => row.map((value, at) => showValue(value, columns[at]?.unit)));
  const heads = columns.map(({ label, unit }) => headOf(label, unit));
  return [table(heads, shown), ...moreRows(rows.length - maxRows)];
}

/** Figures stand on the right. */
export function headOf(label: string, unit: Unit | undefined) {
  const title = escapeMarkdown(oneLine(label));
  return unit === undefined || unit === "text" ? wordColumn(title) : numberColumn(title);
}

function moreRows(count: number): string[] {
  return count > 0 ? [`… and ${count} more: see the JSON report`] : [];
}

function diffOf({ expected, actual }: Extract<Block, { kind: "diff" }>, limits: BlockLimits): string[] {
  const lines = patchLines(expected, actual, limits.differences).map((line) => cutWords(line, maxColumns));
  if (lines.length > 0) return [fence(lines, "diff")];
  return [`the same value: ${markdownCode(textOf(actual), limits.lines)}`];
}

const eventLines = 8;

function timelineOf({ events }: Extract<Block, { kind: "timeline" }>, { lines }: BlockLimits): string[] {
  if (events.length === 0) return [];
  const items = events.slice(0, lines).map(({ atMs, label, text }) => {
    const when = atMs === null ? "" : `${milliseconds(atMs)} · `;
    const [first = "", ...rest] = text === "" ? [] : shownLines(text, eventLines);
    const said = [escapeMarkdown(first.trim()), ...rest.map(markdownLine)].join("  \n  ");
    return `- ${when}**${escapeMarkdown(oneLine(label))}**${said === "" ? "" : `: ${said}`}`;
  });
  return [items.join("\n"), ...moreRows(events.length - lines)];
}

function matrixOf({ rows, columns, cells, unit }: Extract<Block, { kind: "matrix" }>, limits: BlockLimits) {
  const heads = [wordColumn(""), ...columns.map((label) => numberColumn(escapeMarkdown(oneLine(label))))];
  const shown = rows
    .slice(0, limits.rows)
    .map((label, at) => [label, ...(cells[at] ?? []).map(({ value }) => showValue(value, unit))]);
  return [table(heads, shown), ...moreRows(rows.length - limits.rows)];
}

const barWidth = 20;

function barsOf({ bars }: Extract<Block, { kind: "bars" }>): string[] {
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
