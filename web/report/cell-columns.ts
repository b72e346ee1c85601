import type { Unit } from "../../src/contract/view.ts";
import { showValue } from "../../src/report/view/show-value.ts";
import { type Cell, cellValue, type Report } from "./read-report.ts";

/** How wide a column is, in rem, as the style has it. */
const widths = { small: 3.75, middle: 5.5, large: 8, name: 11 };

/** A column of the table of cells besides status and case, which every row has. */
export interface TableColumn {
  id: string;
  label: string;
  unit: Unit;
  size: keyof typeof widths;
  /** Whether it is hidden on narrow pages. */
  isOwn: boolean;
}

/** The width of a wide page beside status and case, in rem. */
const spareRem = 43;

/** The columns of the table: what says the same of every cell, or does not fit beside the case, is left to the details. */
export function tableColumns({ suites, cells }: Report): TableColumn[] {
  const isScored = cells.some(({ score, status }) => score !== null && score !== Number(status === "pass"));
  const named = columnFor({ id: "subject", label: "Subject" }, cells, "name");
  const before = [...named, ...columnFor({ id: "trial", label: "Trial", unit: "count" }, cells, "small")];
  const after = [
    ...(isScored ? columnFor({ id: "score", label: "Score", unit: "score" }, cells) : []),
    ...columnFor({ id: "costUsd", label: "Cost", unit: "usd" }, cells, "middle"),
    { id: "latencyMs", label: "Latency", unit: "ms", size: "middle", isOwn: false } as const,
  ];
  let left = [...before, ...after].reduce((rest, { size }) => rest - widths[size], spareRem);
  const own = new Map(suites.flatMap(({ columns }) => columns.map((column) => [column.id, column])));
  const found = [...own.values()].flatMap((column) =>
    column.isHidden === true ? [] : columnFor(column, cells).map((one) => ({ ...one, isOwn: true })),
  );
  // If not all fit, columns with bad values stay.
  const isBad = ({ id }: TableColumn) => cells.some((cell) => cellValue(cell, id)?.tone === "bad");
  const chosen = new Set<TableColumn>();
  for (const column of found.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)))) {
    if (widths[column.size] > left) continue;
    left -= widths[column.size];
    chosen.add(column);
  }
  return [...before, ...found.filter((column) => chosen.has(column)), ...after];
}

/** A column as wide as its longest word needs; none where it says the same of every cell. */
function columnFor(
  { id, label, unit = "text" }: { id: string; label: string; unit?: Unit },
  cells: readonly Cell[],
  size?: TableColumn["size"],
): TableColumn[] {
  const shown = new Set<string>();
  for (const cell of cells) {
    const found = cellValue(cell, id);
    if (found !== undefined) shown.add(showValue(found.value, unit));
    if (shown.size > 100) break;
  }
  if (shown.size < 2) return [];
  const words = [label, ...shown].flatMap((text) => text.split(/[\s-]/));
  const longest = Math.max(...words.map(({ length }) => length));
  const needed = longest <= 5 ? "small" : longest <= 9 ? "middle" : "large";
  return [{ id, label, unit, size: size ?? needed, isOwn: false }];
}
