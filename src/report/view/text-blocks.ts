import type pc from "picocolors";
import type { Block, Fact, Scalar, TableColumn, Tone, Unit } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { counted, milliseconds } from "../text/format-numbers.ts";
import { alignedLines } from "../text/text-table.ts";
import { padWidth, textWidth } from "../text/text-width.ts";
import { compactJson, type Difference, diffJson } from "./diff-json.ts";
import { showFact, showValue } from "./show-value.ts";
import { cutWords, limitLines, longestWord, oneLine, textLines, wrapText, wrapWords } from "./wrap-words.ts";

/** How text is laid out: colours are added to what was measured. */
export interface TextTerms {
  paint: ReturnType<typeof pc.createColors>;
  /** Columns that may be filled. */
  width: number;
}

const maxCodeLines = 40;
const maxDifferences = 50;
const barWidth = 30;
const minColumn = 12;
const gap = 2;

/** A block as plain text of at most this width; only words that are longer stick out. */
export function blockLines(block: Block, terms: TextTerms): string[] {
  const lines = bodyLines(block, terms);
  if (block.title === undefined || lines.length === 0) return lines;
  const inner = bodyLines(block, { ...terms, width: terms.width - 2 });
  return [terms.paint.bold(oneLine(block.title)), ...inner.map((line) => `  ${line}`)];
}

function bodyLines(block: Block, terms: TextTerms): string[] {
  const { paint, width } = terms;
  switch (block.kind) {
    case "text":
      return wrapText(block.text, width).map(tonePaint(block.tone, terms));
    case "facts":
      return factLines(block.facts, terms);
    case "table":
      return tableLines(
        block.columns,
        block.rows.map((row) => row.map((value, at) => ({ value, unit: block.columns[at]?.unit }))),
        terms,
      );
    case "diff":
      return differenceLines(block, { maxDifferences, width });
    case "code":
      return limitLines(textLines(block.code), maxCodeLines).map((line) => paint.dim(line));
    case "timeline":
      return timelineLines(block, terms);
    case "matrix":
      return matrixLines(block, terms);
    case "bars":
      return barLines(block.bars, terms);
    default:
      return block satisfies never;
  }
}

/** Labels, values and notes in columns; where that is too wide, each wraps behind its label. */
export function factLines(facts: readonly Fact[], terms: TextTerms): string[] {
  const labels = facts.map(({ label }) => oneLine(label));
  const values = facts.map(showFact);
  const column = Math.max(0, ...labels.map(textWidth)) + gap;
  const noted = values.filter((_, at) => facts[at]?.note !== undefined).map(textWidth);
  const notes = facts.map(({ note }) => (note === undefined ? 0 : textWidth(note)));
  const valueWidth = Math.max(0, ...noted);
  const isAligned = column + valueWidth + gap + Math.max(0, ...notes) <= terms.width;
  return facts.flatMap(({ note, tone }, at) => {
    const value = values[at] ?? "";
    const padded = isAligned ? padWidth(value, valueWidth) : value;
    const text = note === undefined ? value : `${padded}${" ".repeat(gap)}${note}`;
    const paint = tonePaint(tone, terms);
    const [first = "", ...rest] =
      isAligned && note !== undefined
        ? [oneLine(text)]
        : wrapText(text, Math.max(minColumn, terms.width - column));
    return [
      `${terms.paint.dim(padWidth(labels[at] ?? "", column))}${paint(first)}`,
      ...rest.map((line) => `${" ".repeat(column)}${paint(line)}`),
    ];
  });
}

/** What colours a text of this tone. */
export function tonePaint(
  tone: Tone | undefined,
  { paint }: Pick<TextTerms, "paint">,
): (text: string) => string {
  if (tone === undefined) return (text) => text;
  return { good: paint.green, bad: paint.red, warn: paint.yellow, muted: paint.dim }[tone];
}

/** The first differences between two values, a line each: `$.total: expected 5, got 6`. */
export function differenceLines(
  { expected, actual }: { expected: Json; actual: Json },
  { maxDifferences: max, width, isRedundant = () => false }: DifferenceTerms,
): string[] {
  const all = diffJson(expected, actual).flatMap(byLines);
  const open = all.filter((one) => !isRedundant(one));
  const lines = open
    .slice(0, max)
    .flatMap((one) => wrapWords(differenceWords(one, Math.max(20, Math.floor(width * 0.75))), width));
  const more = open.length - max;
  return more > 0 ? [...lines, `… ${pluralize(more, "more difference")}`] : lines;
}

interface DifferenceTerms {
  maxDifferences: number;
  width: number;
  /** Whether the screen already shows this difference. */
  isRedundant?: (difference: Difference) => boolean;
}

/** Tells whether a reason already states a difference, so that it is not shown twice. */
export function isStatedIn(reason: string): (difference: Difference) => boolean {
  const text = oneLine(reason);
  return ({ kind, expected = null, actual = null }) =>
    kind === "changed" &&
    [JSON.stringify, compactJson].some((json: (value: Json) => string) =>
      text.includes(`expected ${json(expected)}, got ${json(actual)}`),
    );
}

/** Texts with several lines differ line by line. */
function byLines(one: Difference): Difference[] {
  const { path, kind, expected, actual } = one;
  if (kind !== "changed" || typeof expected !== "string" || typeof actual !== "string") return [one];
  const [left, right] = [expected.split(/\r?\n/), actual.split(/\r?\n/)];
  if (left.length + right.length === 2) return [one];
  return diffJson(left, right).map((line) => ({
    ...line,
    path: `${path === "$" ? "" : `${path} `}line ${Number(/\d+/.exec(line.path)?.[0]) + 1}`,
  }));
}

function differenceWords({ path, kind, expected, actual }: Difference, width: number): string {
  const where = path === "$" ? "" : `${oneLine(path)}: `;
  const [left, right] = [expected, actual].map((value) => cutWords(shownJson(value ?? null), width));
  if (kind === "missing") return `${where}missing, expected ${left}`;
  if (kind === "extra") return `${where}unexpected ${right}`;
  return `${where}expected ${left}, got ${right}`;
}

/** A value as JSON on one line; a line break in a text is an arrow. */
function shownJson(value: Json): string {
  const shown: Record<string, string> = { "\\n": "↵", "\\r\\n": "↵", "\\t": " " };
  return oneLine(compactJson(value).replace(/\\\\|\\r\\n|\\n|\\t/g, (found) => shown[found] ?? found));
}

interface ShownCell {
  value: Scalar;
  unit?: Unit | undefined;
  tone?: Tone | undefined;
}

/** Rows below their heads. Where they are too wide, the widest columns wrap between words. */
function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly ShownCell[])[],
  terms: TextTerms,
): string[] {
  const heads = columns.map(({ label }) => oneLine(label));
  const all = [heads, ...rows.map((row) => row.map(({ value, unit }) => oneLine(showValue(value, unit))))];
  const most = (measure: (text: string) => number) =>
    heads.map((_, at) => all.reduce((widest, row) => Math.max(widest, measure(row[at] ?? "")), 0));
  const align = columns.map(({ unit = "text" }) => (unit === "text" ? "left" : "right"));
  // No word is broken, and text of a word per line is hard to read; the head of a figure may be.
  const least = most(longestWord).map((word, at) =>
    align[at] === "left" ? Math.max(word, minColumn) : word,
  );
  const fitted = fitColumns(most(textWidth), least, terms.width);
  const wrapped = all.map((row) => row.map((cell, at) => wrapWords(cell, fitted[at] ?? minColumn)));
  const widths = heads.map((_, at) => maxWidth(wrapped.flatMap((row) => row[at] ?? [])));
  return wrapped.flatMap((cells, row) => {
    const height = cells.reduce((most, { length }) => Math.max(most, length), 1);
    const paint = (text: string, at: number) =>
      row === 0 ? terms.paint.dim(text) : tonePaint(rows[row - 1]?.[at]?.tone, terms)(text);
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, at) => paint(padWidth(lines[line] ?? "", widths[at] ?? 0, align[at]), at))
        .join(" ".repeat(gap))
        .trimEnd(),
    );
  });
}

function maxWidth(lines: readonly string[]): number {
  return lines.reduce((widest, line) => Math.max(widest, textWidth(line)), 0);
}

/** Narrows the widest columns first, and none below its least width: where not even those have room, the table is wider. */
function fitColumns(natural: readonly number[], least: readonly number[], width: number): number[] {
  const widths = [...natural];
  const gaps = gap * (widths.length - 1);
  for (let excess = widths.reduce((sum, one) => sum + one, gaps) - width; excess > 0; excess--) {
    const spare = widths.map((one, at) => (one > (least[at] ?? 0) ? one : 0));
    const widest = spare.reduce((best, one, at) => (one > (spare[best] ?? 0) ? at : best), 0);
    if ((spare[widest] ?? 0) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** As a table where it fits, else a line per row with what is not empty. */
function matrixLines(block: Extract<Block, { kind: "matrix" }>, terms: TextTerms): string[] {
  const { rows, columns, cells, unit = "text" } = block;
  const heads = [{ label: "" }, ...columns.map((label) => ({ label, unit }))];
  const table = rows.map((row, at): ShownCell[] => [
    { value: row },
    ...(cells[at] ?? []).map((cell) => ({ ...cell, unit })),
  ]);
  const widest = columns.reduce(
    (sum, label) => sum + Math.max(5, textWidth(label)) + 2,
    Math.max(0, ...rows.map(textWidth)),
  );
  if (widest <= terms.width) return tableLines(heads, table, terms);
  return rows.flatMap((row, at) => {
    const found = (cells[at] ?? []).flatMap(({ value }, column) =>
      value === null || value === 0 || value === "" ? [] : [`${columns[column]} ${showValue(value, unit)}`],
    );
    return found.length === 0 ? [] : hanging(`${oneLine(row)}: ${oneLine(found.join(", "))}`, terms.width);
  });
}

function hanging(text: string, width: number): string[] {
  return wrapWords(text, width - 2).map((line, at) => (at === 0 ? line : `  ${line}`));
}

function timelineLines({ events, note }: Extract<Block, { kind: "timeline" }>, terms: TextTerms): string[] {
  const heads = alignedLines(
    events.map(({ atMs, label }) => [atMs === null ? "" : `+${milliseconds(atMs)}`, oneLine(label), ""]),
    { align: ["right"] },
  ).map((line) => line);
  const column = Math.min(Math.max(0, ...heads.map(textWidth)) + 2, Math.floor(terms.width / 2));
  const lines = events.flatMap(({ text, tone, quote, cut }, at) => {
    const paint = tonePaint(tone, terms);
    const [first = "", ...rest] = limitLines(wrapText(text, terms.width - column), maxCodeLines);
    return [
      `${terms.paint.dim(padWidth(heads[at] ?? "", column))}${paint(first)}`.trimEnd(),
      ...rest.map((line) => `${" ".repeat(column)}${paint(line)}`),
      ...quoteLines(quote, cut, terms.width - quoteIndent.length).map((line) =>
        `${quoteIndent}${terms.paint.dim("│")} ${line}`.trimEnd(),
      ),
    ];
  });
  return note === undefined ? lines : [...lines, ...wrapText(note, terms.width).map(terms.paint.dim)];
}

const quoteIndent = "    ";

function quoteLines(quote: string | undefined, cut: number | undefined, width: number): string[] {
  if (quote === undefined) return [];
  const lines = limitLines(wrapText(quote, width - 2), maxCodeLines);
  return cut === undefined ? lines : [...lines, `… ${counted(cut, "more character")}`];
}

function barLines(bars: Extract<Block, { kind: "bars" }>["bars"], terms: TextTerms): string[] {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const barLength = (value: number) =>
    most === 0 ? 0 : Math.max(value > 0 ? 1 : 0, Math.round((value / most) * barWidth));
  return alignedLines(
    bars.map(({ label, value, note = "" }) => [
      oneLine(label),
      showValue(value, "count"),
      "█".repeat(barLength(value)),
      oneLine(note),
    ]),
    {
      align: [undefined, "right"],
      paint: (text, column, row) => (column === 2 ? tonePaint(bars[row]?.tone, terms)(text) : text),
    },
  );
}
