import type { Verdict } from "../../src/contract/result.ts";
import type { CaseVerdict, Scalar, Tone } from "../../src/contract/view.ts";
import type {
  PageBlock,
  PageCase,
  PageData,
  PageSubject,
  PageSuite,
  PageValue,
} from "../../src/report/view/page-document.ts";

export interface Subject extends Omit<PageSubject, "suite" | "verdicts"> {
  index: number;
  suite: PageSuite;
  verdicts: ReadonlyMap<string, CaseVerdict>;
}

export interface Case extends Omit<PageCase, "suite"> {
  index: number;
}

export interface CellValue {
  value: Scalar;
  tone: Tone | undefined;
}

/** A cell with everything it belongs to. */
export interface Cell {
  subject: Subject;
  one: Case;
  trial: number;
  status: Verdict;
  attempts: number;
  score: number | null;
  latencyMs: number | null;
  costUsd: number | null;
  key: string;
  reason: string;
  values: readonly PageValue[];
  blocks: readonly PageBlock[] | null;
}

export interface Report extends Omit<PageData, "subjects" | "cells" | "cases"> {
  subjects: readonly Subject[];
  cells: readonly Cell[];
}

/** The report that lies in the page itself. */
export function readEmbedded(): Report {
  const text = document.getElementById("report")?.textContent;
  if (text === null || text === undefined) throw new Error("the page holds no report");
  return readReport(JSON.parse(text) as PageData);
}

/** Puts subjects and cases in place of their indexes. */
export function readReport({ subjects: rows, cells: cellRows, cases: caseRows, ...rest }: PageData): Report {
  const subjects = rows.flatMap(({ suite: at, verdicts, ...row }, index): Subject[] => {
    const suite = rest.suites[at];
    return suite === undefined ? [] : [{ ...row, index, suite, verdicts: new Map(verdicts) }];
  });
  const cases = caseRows.map(({ suite: _, ...row }, index): Case => ({ ...row, index }));
  const bySubject = new Map(subjects.map((subject) => [subject.index, subject]));
  const cells = cellRows.flatMap((row): Cell[] => {
    const [
      subjectAt,
      caseAt,
      trial,
      status,
      attempts,
      score,
      latencyMs,
      costUsd,
      key,
      reason,
      values,
      blocks,
    ] = row;
    const subject = bySubject.get(subjectAt);
    const one = cases[caseAt];
    if (subject === undefined || one === undefined) return [];
    return [
      { subject, one, trial, status, attempts, score, latencyMs, costUsd, key, reason, values, blocks },
    ];
  });
  return { ...rest, subjects, cells };
}

/** Whether a cell passed after it had not. */
export function isRetried({ status, attempts }: Cell): boolean {
  return status === "pass" && attempts > 1;
}

/** What every cell has, by the id of its column. */
const commonValues: Readonly<Record<string, (cell: Cell) => Scalar>> = {
  caseId: ({ one }) => one.name,
  subject: ({ subject }) => subject.name,
  trial: ({ trial }) => trial,
  score: ({ score }) => score,
  latencyMs: ({ latencyMs }) => latencyMs,
  costUsd: ({ costUsd }) => costUsd,
};

/** What a column shows of a cell; undefined where cells of its kind do not have the column. */
export function cellValue(cell: Cell, id: string): CellValue | undefined {
  if (Object.hasOwn(commonValues, id)) return { value: commonValues[id]?.(cell) ?? null, tone: undefined };
  const { values, subject } = cell;
  const at = subject.suite.columns.findIndex((column) => column.id === id);
  if (at === -1) return undefined;
  const given = values[at] ?? null;
  const [value, tone] = Array.isArray(given) ? (given as readonly [Scalar, Tone]) : [given as Scalar];
  return { value, tone };
}
