import { fitWidth, padWidth, textWidth } from "./text-width.ts";

export interface Column {
  head: string;
  align?: "left" | "right";
  /** May be cut down to this many columns where the terminal is narrow; else it is never cut. */
  least?: number;
  /** Left out before a line has to wrap. */
  isExpendable?: boolean;
}

interface TableOptions {
  /** Columns of the terminal; null where nothing has to fit. */
  width: number | null;
  /** Colours a cell after it was measured; row -1 is the head. */
  paint?: (text: string, column: string, row: number) => string;
}

const gapWidth = 2;

/** Rows under their heads, each column as wide as it needs and as the terminal allows. */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, paint = (text) => text }: TableOptions,
): string[] {
  const shown = shownColumns(columns, rows, width);
  const heads = columns.map(({ head }) => head);
  const cut = [heads, ...rows].map((row) =>
    shown.map(({ at, width: maxColumns }) => fitWidth(row[at] ?? "", maxColumns)),
  );
  return alignedLines(cut, {
    align: shown.map(({ column }) => column.align),
    paint: (text, index, line) => paint(text, shown[index]?.column.head ?? "", line - 1),
  });
}

/** The heads of the columns that a table of this width leaves out. */
export function leftOutHeads(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const shown = new Set(shownColumns(columns, rows, width).map(({ column }) => column));
  return columns.filter((column) => !shown.has(column)).map(({ head }) => head);
}

function shownColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): Measured[] {
  const all = columns.map((column, at) => ({
    column,
    at,
    width: rows.reduce((most, row) => Math.max(most, textWidth(row[at] ?? "")), textWidth(column.head)),
  }));
  return width === null ? all : fitColumns(all, width);
}

interface Measured {
  column: Column;
  at: number;
  width: number;
}

/** Cuts the widest columns first, and leaves out what can be spared where cutting is not enough. */
function fitColumns(columns: readonly Measured[], width: number): Measured[] {
  const minWidth = ({ column, width: needed }: Measured) => Math.min(needed, column.least ?? needed);
  const total = (widths: readonly number[]) =>
    widths.reduce((sum, one) => sum + one, gapWidth * (widths.length - 1));
  let remaining = [...columns];
  while (total(remaining.map(minWidth)) > width) {
    const spare = remaining.findLast(({ column }) => column.isExpendable);
    if (spare === undefined) break;
    remaining = remaining.filter((one) => one !== spare);
  }
  const fitted = remaining.map((one) => ({ ...one }));
  for (let excess = total(fitted.map((one) => one.width)) - width; excess > 0; excess--) {
    const cuttable = fitted.filter((one) => one.width > minWidth(one));
    if (cuttable.length === 0) break;
    const widest = cuttable.reduce((best, one) => (one.width > best.width ? one : best));
    widest.width--;
  }
  return fitted;
}

interface Alignment {
  /** By column; left by default. */
  align?: readonly ("left" | "right" | undefined)[];
  /** Colours a cell after it was measured. */
  paint?: (text: string, column: number, row: number) => string;
}

/** Rows of plain cells as lines with aligned columns, two spaces apart. */
export function alignedLines(
  rows: readonly (readonly string[])[],
  { align = [], paint = (text) => text }: Alignment = {},
): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
  return rows.map((row, line) =>
    row
      .map((cell, at) => {
        const isOpenEnded = at === row.length - 1 && align[at] !== "right";
        return paint(isOpenEnded ? cell : padWidth(cell, widths[at] ?? 0, align[at]), at, line);
      })
      .join("  ")
      .trimEnd(),
  );
}
