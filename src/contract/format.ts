import type { CaseReport, ReportDocument } from "./document.ts";

/** Which cells are read; what is left out means all. */
export interface CellFilter {
  level?: string | undefined;
  suite?: string | undefined;
  /** By its name. */
  subject?: string | undefined;
}

/** Reads cells suite by suite in plan order, as the JSON text they were stored as, as often as asked. */
export type CellReader = (filter?: CellFilter) => Iterable<string>;

/** A report as formats get it: everything but the cells, which are read one at a time. */
export interface Rendered extends Omit<ReportDocument, "cases"> {
  cases: Iterable<CaseReport>;
}

/** Turns a report of any level into text, piece by piece, so that no report has to fit in memory. */
export interface Format {
  readonly format: string;
  readonly extension: string;
  render(report: Rendered, cells: CellReader): Iterable<string>;
}
