import { visibleText } from "../../shared/text/visible-text.ts";
import { padWidth, textWidth } from "./text-width.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// An underscore inside a word is not markup in CommonMark, so `coding_003` stays readable in the source.
const markup = /[\\`*[\]#!~|$&<>@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=\bwww)\./giu;

// Most cells of a table are plain words and numbers: one look at them is enough.
const harmless = /^[A-Za-z0-9 ,;:%()+="{}✓✗–-]*$/;

/** Untrusted text as one line of inert Markdown, inside a table as anywhere: no markup, no link, no hidden character. */
export function escapeMarkdown(text: string): string {
  if (harmless.test(text)) return text;
  return visibleText(text).replace(markup, (char) => entities[char] ?? `\\${char}`);
}

export interface Column {
  title: string;
  align: "left" | "right";
}

/** Rows that decide how wide the columns are: enough for a pleasant source, few enough to stay lazy. */
const rowsMeasured = 100;
const widestColumn = 60;

/** A Markdown table, line by line, that lines up in its source too. Cells are plain text: escaping happens here. */
export function* markdownTable(
  columns: readonly Column[],
  rows: Iterable<readonly string[]>,
): Generator<string, void> {
  const source = rows[Symbol.iterator]();
  try {
    const measured: string[][] = [];
    let next = source.next();
    for (; !next.done && measured.length < rowsMeasured; next = source.next())
      measured.push(next.value.map(escapeCell));

    const widths = columns.map(({ title }, at) => maxWidth([title, ...measured.map((row) => row[at] ?? "")]));
    const line = (cells: readonly string[]) => tableLine(cells, columns, widths);

    yield line(columns.map(({ title }) => title));
    yield tableRule(columns, widths);
    for (const row of measured) yield line(row);
    for (; !next.done; next = source.next()) yield line(next.value.map(escapeCell));
  } finally {
    source.return?.();
  }
}

/** A column for words. */
export function wordColumn(title: string): Column {
  return { title, align: "left" };
}

/** A column for numbers, which line up on the right. */
export function numberColumn(title: string): Column {
  return { title, align: "right" };
}

/** Several lines are several lines in a cell, too: nothing but this tag breaks one. */
function escapeCell(text: string): string {
  return text.includes("\n")
    ? text
        .trim()
        .split(/\s*\n\s*/)
        .map(escapeMarkdown)
        .join("<br>")
    : escapeMarkdown(text);
}

function maxWidth(cells: readonly string[]): number {
  return Math.min(widestColumn, Math.max(3, ...cells.map(textWidth)));
}

function tableLine(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const padded = columns.map(({ align }, at) => padWidth(cells[at] ?? "", widths[at] ?? 0, align));
  return `| ${padded.join(" | ")} |\n`;
}

function tableRule(columns: readonly Column[], widths: readonly number[]): string {
  const rules = columns.map(({ align }, at) => {
    const dashes = "-".repeat((widths[at] ?? 3) - 1);
    return align === "right" ? `${dashes}:` : `${dashes}-`;
  });
  return `| ${rules.join(" | ")} |\n`;
}
