import { padWidth, textWidth } from "./text-width.ts";

export interface Alignment {
  /** By column; what is not named is left. */
  align?: readonly ("left" | "right" | undefined)[];
  /** Colours a cell after it was measured. */
  paint?: (text: string, column: number, row: number) => string;
}

/** Rows of plain cells as lines whose columns stand below each other, two spaces apart. */
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
