import type { CaseReport, ReportDocument, SubjectReport } from "./document.ts";
import type { Level } from "./level.ts";
import type { CellResult, Counts, Verdict } from "./result.ts";
import type { Block, Column, Fact, Finding, Section, Tally } from "./view.ts";

/** Which cells are read; what is left out means all. */
export interface CellFilter {
  level?: string | undefined;
  suite?: string | undefined;
  /** By its name. */
  subject?: string | undefined;
}

/** Reads cells suite by suite in plan order, as the JSON text they were stored as, as often as needed. */
export type CellReader = (filter?: CellFilter) => Iterable<string>;

/** A report as formats get it: everything but the cells, which are read one at a time. */
export interface Rendered extends Omit<ReportDocument, "cases"> {
  cases: Iterable<CaseReport>;
}

/** What a reader may choose about how a report looks. */
export interface RenderOptions {
  /** Columns of the terminal; null where nothing has to fit. */
  width: number | null;
  color: boolean;
  /** How many failed cases of a subject are shown, and of how many subjects; null: all. */
  maxFailures: { cases: number; subjects: number } | null;
  /** Only this subject is shown in full; null: all. */
  onlySubject: string | null;
  /** Whether figures that few readers need are shown as well. */
  isVerbose: boolean;
  csvRows: "cells" | "subjects";
  /** The file a case is defined in, as annotations name it. */
  fileOf?(
    cell: Pick<CellResult, "level" | "suite" | "skillId" | "model" | "arm" | "caseId">,
  ): string | undefined;
}

/** `unknown`: no verdict; `reference`: there to compare with. */
export type SubjectState = "failed" | "unknown" | "passed" | "reference";

export interface SubjectView {
  subject: SubjectReport;
  level: Level;
  /** For people; with its suite where a run has several. */
  name: string;
  /** The same without its suite. */
  shortName: string;
  state: SubjectState;
  tally: Tally;
  /** What is shown next to its name. */
  facts: readonly Fact[];
}

/** The result of a run in words. */
export interface VerdictView {
  /** `passed`: no enforced gate failed; cells may have. */
  state: "passed" | "failed" | "unknown";
  /** `50 of 360 failed`. */
  words: string;
  /** Which gates failed or have no verdict and why, a sentence each. */
  reasons: readonly string[];
}

/** A case that did not pass, all its trials together. */
export interface FailedCase {
  caseId: string;
  /** What it is called besides its id. */
  title: string | null;
  /** What it asked for; undefined where the report does not say. */
  one: CaseReport | undefined;
  status: Verdict;
  /** `failed in 2 of 3 trials`. */
  words: string;
  /** Why, as the first cell says that did not pass; may have several lines. */
  reason: string;
  /** That cell. */
  cell: CellResult;
  counts: Counts;
  /** What its level knows of it as a whole. */
  blocks: readonly Block[];
}

/** A cell that passed after it had not. */
export interface RetriedCell {
  caseId: string;
  trial: number;
  attempt: number;
}

export interface Failures {
  cases: readonly FailedCase[];
  /** How many more there are. */
  more: number;
  /** The first of those that passed on a retry, and how many there are. */
  retried: readonly RetriedCell[];
  retriedCount: number;
}

/** A column of the table of cells, of any level. */
export interface CellColumn extends Column {
  /** Null: every level has it. */
  level: string | null;
}

/** A report with everything that formats show, level by level in the same words. */
export interface ReportView {
  readonly report: Rendered;
  readonly options: RenderOptions;
  readonly verdict: VerdictView;
  /** What was not tested, a line per reason. */
  readonly skipped: readonly string[];
  /** What was tested and decides nothing, a line per entry of the quarantine. */
  readonly quarantined: readonly string[];
  /** Those that failed first, the worst of them before others; then in plan order. */
  readonly subjects: readonly SubjectView[];
  /** How the run was made. */
  readonly facts: readonly Fact[];
  readonly columns: readonly CellColumn[];
  /** As stored, for formats that pass them on. */
  readonly cells: CellReader;
  /** Parsed, in plan order. */
  results(filter?: CellFilter): Iterable<CellResult>;
  subjectOf(cell: CellResult): SubjectView | undefined;
  sections(): readonly Section[];
  subjectBlocks(subject: SubjectView): readonly Block[];
  failures(subject: SubjectView, maxCases: number): Failures;
  /** What is wrong where in the files that a cell looked at; empty for one that looked at none. */
  findings(cell: CellResult): readonly Finding[];
  /** Why a cell is what it is. `one` is what its case asked for, where that is known. */
  explain(cell: CellResult, one: CaseReport | undefined): readonly Block[];
}

/** Turns a report of any level into text, piece by piece, so that no report has to fit in memory. */
export interface Format {
  readonly format: string;
  readonly extension: string;
  render(view: ReportView): Iterable<string>;
}

/** Every format a report can be written in. `report/formats/load-formats.ts` knows how each is loaded. */
export const reportFormats = [
  "json",
  "ndjson",
  "markdown",
  "html",
  "csv",
  "junit",
  "terminal",
  "github",
  "sarif",
] as const;

export type ReportFormat = (typeof reportFormats)[number];
