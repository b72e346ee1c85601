import { subjectName } from "../../contract/cell.ts";
import type { Format, ReportView, SubjectView } from "../../contract/format.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Scalar } from "../../contract/view.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

import { describeIntervals } from "../view/interval-words.ts";

/** Rows for spreadsheets: one per cell, or one per subject. Numbers are numbers, and what is not known is empty. */
export const csvFormat = { format: "csv", extension: "csv", render } satisfies Format;

function render(view: ReportView): Iterable<string> {
  return view.options.csvRows === "subjects" ? subjectRows(view) : cellRows(view);
}

function* cellRows({ columns, results }: ReportView): Generator<string> {
  // Levels share columns of the same name; columns of a level come first.
  const shared = [...groupedBy(columns, ({ id }) => id)];
  yield line(shared.map(([id]) => id));
  for (const cell of results())
    yield line(
      shared.map(([, same]) => same.findLast((column) => isMeant(column, cell))?.value(cell) ?? null),
    );
}

function isMeant({ level }: { level: string | null }, cell: CellResult): boolean {
  return level === null || level === cell.level;
}

type Read = (view: SubjectView) => Scalar;

/** The columns of subjects in their order; readers go by it, so new ones are added at the end. */
const subjectColumns: Readonly<Record<string, Read>> = {
  level: ({ subject }) => subject.level,
  suite: ({ subject }) => subject.suite,
  subject: ({ subject }) => subjectName(subject),
  skillId: ({ subject }) => subject.skillId,
  skillVersion: ({ subject }) => subject.skillVersion,
  skillDigest: ({ subject }) => subject.skillDigest,
  model: ({ subject }) => subject.model,
  arm: ({ subject }) => subject.arm,
  state: ({ state }) => state,
  trials: ({ subject }) => subject.trials,
  total: ({ subject }) => subject.counts.total,
  pass: ({ subject }) => subject.counts.pass,
  fail: ({ subject }) => subject.counts.fail,
  error: ({ subject }) => subject.counts.error,
  timeout: ({ subject }) => subject.counts.timeout,
  invalid: ({ subject }) => subject.counts.invalid,
};

/** In the order of the report, not of the results, so that two runs have the same rows. */
function* subjectRows({ report, subjects }: ReportView): Generator<string> {
  const columns = { ...subjectColumns, ...metricColumns(subjects) };
  const views = new Map(subjects.map((view) => [view.subject, view]));
  yield line(Object.keys(columns));
  for (const subject of report.subjects) {
    const view = views.get(subject);
    if (view !== undefined) yield line(Object.values(columns).map((read) => read(view)));
  }
}

/** Every figure that any subject has, in the order of the levels, with its bounds where any subject has some. */
function metricColumns(subjects: readonly SubjectView[]): Record<string, Read> {
  const known = subjects.flatMap(({ level }) => level.metrics.map(({ name }) => name));
  const others = subjects.flatMap(({ subject }) => Object.keys(subject.metrics)).sort();
  const columns: Record<string, Read> = {};
  for (const name of new Set([...known, ...others])) {
    const metrics = subjects.flatMap(({ subject }) => subject.metrics[name] ?? []);
    if (metrics.length === 0) continue;
    columns[name] = ({ subject }) => subject.metrics[name]?.value ?? null;
    if (metrics.every(({ interval }) => interval === null)) continue;
    columns[`${name}Lower`] = ({ subject }) => subject.metrics[name]?.interval?.lower ?? null;
    columns[`${name}Upper`] = ({ subject }) => subject.metrics[name]?.interval?.upper ?? null;
  }
  return { ...columns, intervals: ({ subject }) => describeIntervals(subject.metrics) };
}

function line(values: readonly Scalar[]): string {
  return csvLine(values.map((value) => (typeof value === "boolean" ? String(value) : value)));
}

/** A line of RFC 4180: numbers as they are, text quoted where it must be, nothing for what is not known. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : csvText(value);
}

/** Text that spreadsheets do not evaluate as a formula. */
function csvText(text: string): string {
  const shown = text.replace(/[^\t\r\n]+/g, visibleText);
  const inert = /^[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown;
  const isPlain = inert === text && !/[",\r\n]/.test(inert);
  return isPlain ? inert : `"${inert.replaceAll('"', '""')}"`;
}
