import type { QuarantineReport } from "../../contract/document.ts";
import type { CellReader, Rendered, ReportView, SubjectView, VerdictView } from "../../contract/format.ts";
import type { Quarantined } from "../../contract/quarantine.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";
import type { Section } from "../../contract/view.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { grouped } from "../text/format-numbers.ts";
import { cellReason, statusWords } from "./cell-words.ts";

/** `quarantined until 2027-01-31: provider outage`. */
export function quarantineWords({ until, reason }: Quarantined): string {
  return `quarantined until ${until}: ${reason}`;
}

/** What decides nothing, a line per entry: `2 cases (weather/flaky-*) until 2027-01-31: provider outage`. */
export function quarantineLines({ quarantine = [] }: Pick<Rendered, "quarantine">): string[] {
  return quarantine
    .filter(({ cases, isExpired }) => cases > 0 && !isExpired)
    .map(
      ({ case: pattern, cases, until, reason }) =>
        `${pluralize(cases, "case")} (${pattern}) until ${until}: ${reason}`,
    );
}

/** Entries that are over come before anything else: nobody decided that their cases count again. And a subject of which nothing is left says why it has no verdict. */
export function withQuarantine(
  verdict: VerdictView,
  { quarantine = [], exitCode }: Pick<Rendered, "quarantine" | "exitCode">,
  subjects: readonly SubjectView[],
): VerdictView {
  const over = quarantine.filter(({ isExpired, cases }) => isExpired && cases > 0).map(overWords);
  const empty =
    exitCode === 3
      ? subjects
          .filter(
            ({ subject: { quarantined, counts } }) => quarantined && counts.total + counts.invalid === 0,
          )
          .map(({ name }) => `${name}: every case is in quarantine`)
      : [];
  return { ...verdict, reasons: [...over, ...empty, ...verdict.reasons] };
}

function overWords({ case: pattern, until, reason }: QuarantineReport): string {
  return `the quarantine of ${pattern} expired after ${until} (${reason}): its cases decide again`;
}

/** How many cells decide nothing: `, 2 in quarantine`; empty where all of them decide. */
export function leftOutWords(subjects: readonly SubjectView[]): string {
  const cells = subjects.reduce((sum, { subject }) => sum + countQuarantined(subject), 0);
  return cells === 0 ? "" : `, ${grouped(cells)} in quarantine`;
}

/** The cells of a subject that decide nothing. */
export function countQuarantined({ quarantined }: SubjectView["subject"]): number {
  return quarantined === undefined ? 0 : quarantined.counts.total + quarantined.counts.invalid;
}

/** How many cells a run has, those that decide nothing among them. */
export function countCells({ report }: Pick<ReportView, "report">): number {
  return report.subjects.reduce(
    (sum, subject) => sum + subject.counts.total + subject.counts.invalid + countQuarantined(subject),
    0,
  );
}

const maxRows = 200;

/** Every cell that decides nothing, with how it ended all the same. */
export function quarantineSections(
  subjects: readonly SubjectView[],
  cells: CellReader,
  nameOf: (cell: CellResult) => string,
): Section[] {
  const own = subjects.filter(({ subject }) => countQuarantined(subject) > 0);
  if (own.length === 0) return [];
  const total = own.reduce((sum, { subject }) => sum + countQuarantined(subject), 0);
  const rows: (readonly [string, string, number, string, string, string, string])[] = [];
  for (const { subject } of own)
    for (const text of cells({ level: subject.level, suite: subject.suite })) {
      if (rows.length === maxRows) break;
      const cell = parseCell(text);
      const { quarantine, caseId, trial } = cell;
      const isOwn =
        cell.skillId === subject.skillId && cell.model === subject.model && cell.arm === subject.arm;
      if (quarantine === undefined || !isOwn) continue;
      const { until, reason } = quarantine;
      rows.push([nameOf(cell), caseId, trial, statusWords(cell), until, reason, cellReason(cell)]);
    }
  const more = total > rows.length ? ` The first ${grouped(rows.length)} are listed.` : "";
  return [
    {
      title: "In quarantine",
      note: `${pluralize(total, "cell was", "cells were")} run and decided nothing: no figure, count or gate has ${total === 1 ? "it" : "them"}.${more}`,
      blocks: [
        {
          kind: "table",
          columns: ["Subject", "Case", "Trial", "Ended", "Until", "Reason", "Why"].map((label) => ({
            label,
            ...(label === "Trial" && { unit: "count" as const }),
          })),
          rows,
        },
      ],
    },
  ];
}
