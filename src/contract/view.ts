import type { Json } from "../shared/json/json.ts";
import type { CaseReport, Interval, SubjectReport } from "./document.ts";
import type { CellReader, Rendered } from "./format.ts";
import type { CellResult, Verdict } from "./result.ts";

/** How a figure is written; text by default. */
export type Unit = "share" | "score" | "ms" | "usd" | "count" | "bytes" | "text";

export type Scalar = string | number | boolean | null;

/** Whether something speaks for or against what is tested. */
export type Tone = "good" | "bad" | "warn" | "muted";

/** The bounds of a figure and what they are about: no interval is shown without saying so. */
export type FactInterval = Pick<Interval, "lower" | "upper" | "estimates" | "cases" | "trials">;

/** One labelled value. */
export interface Fact {
  label: string;
  /** The figure of a subject that it shows. */
  metric?: string;
  value: Scalar;
  unit?: Unit;
  interval?: FactInterval | null;
  /** What the value rests on, in a few words. */
  note?: string;
  tone?: Tone;
  /** Of a run: whether it is shown even where space is scarce. */
  isNote?: boolean;
}

/** A column of the table of cells that only this level has; the engine adds those that every level has. */
export interface Column {
  /** camelCase: the head of the column in CSV. */
  id: string;
  label: string;
  unit?: Unit;
  /** Whether readers choose cells by it. */
  isFilter?: boolean;
  /** Whether only CSV has it. */
  isHidden?: boolean;
  value(cell: CellResult): Scalar;
  tone?(value: Scalar): Tone | undefined;
}

export interface TableColumn {
  label: string;
  unit?: Unit;
}

/** One event of a run, as a line of a timeline. */
export interface TimelineEvent {
  /** When, since the beginning; null where nobody measured it. */
  atMs: number | null;
  /** Who or what: `user`, `model`, `tool read_file`, `error`. */
  label: string;
  text: string;
  tone?: Tone | undefined;
  /** What belongs to it as it is: arguments, output. */
  quote?: string | undefined;
  /** How many characters of it are left out here. */
  cut?: number | undefined;
}

/** A part of an explanation or a section. Wrapping, escaping and limits are the format's. */
export type Block = { title?: string } & (
  | { kind: "text"; text: string; tone?: Tone }
  | { kind: "facts"; facts: readonly Fact[] }
  | { kind: "table"; columns: readonly TableColumn[]; rows: readonly (readonly Scalar[])[] }
  /** Whole values: formats show every difference. */
  | { kind: "diff"; expected: Json; actual: Json }
  | { kind: "code"; code: string; language?: string }
  /** `note`: where to find what is left out. */
  | { kind: "timeline"; events: readonly TimelineEvent[]; note?: string }
  | {
      kind: "matrix";
      rows: readonly string[];
      columns: readonly string[];
      /** By row, then column. */
      cells: readonly (readonly { value: Scalar; tone?: Tone }[])[];
      unit?: Unit;
    }
  | { kind: "bars"; bars: readonly { label: string; value: number; note?: string; tone?: Tone }[] }
);

/** Something about a whole run that only its level knows. */
export interface Section {
  title: string;
  /** What it says, in a sentence. */
  note?: string;
  blocks: readonly Block[];
}

/** Something that is wrong at a place in a file, as editors and code scanning mark it. */
export interface Finding {
  /** What it is called wherever it is found. */
  rule: string;
  /** How bad it is, in the words of its level. */
  severity: string;
  tone: Tone;
  /** As a user would name it. */
  file: string;
  /** From 1; null where it is about the whole file. */
  line: number | null;
  column: number | null;
  message: string;
  /** What to do about it; empty where nobody knows. */
  fix: string;
}

/** How often something was tried and how it ended. `noun` says what was counted, where that is not cells. */
export interface Tally {
  passed: number;
  failed: number;
  /** Without a verdict; not in the total. */
  unknown: number;
  noun?: readonly [one: string, many: string];
}

/** What a case came to over its trials. */
export interface CaseVerdict {
  status: Verdict;
  /** `failed in 2 of 3 trials`; left out, made of its cells. */
  words?: string;
  /** Why; left out, what its first cell that did not pass says. */
  reason?: string | null;
  /** What is known of the case as a whole. */
  blocks?: readonly Block[];
}

/** How a level is shown. Everything is optional: what is left out is made of what every level has. */
export interface LevelView {
  /** What a subject is called, where its own name says too little. */
  subjectName?(subject: Pick<SubjectReport, "skillId" | "model" | "arm">): string | null;
  /** What is shown next to the name of a subject: the same labels for every subject of the level. */
  headline?(subject: SubjectReport): Fact[];
  readonly columns?: readonly Column[];
  /** Why a cell is what it is, besides its reason, attempts and output, which every cell has. */
  explain?(cell: CellResult, one: CaseReport | undefined): Block[];
  /** Whether `explain` shows expected and actual values itself. */
  readonly explainsDifference?: boolean;
  /** What is wrong where, for a cell that looked at files: formats that mark lines show these instead of the cell. */
  findings?(cell: CellResult): Finding[];
  /** A command that shows how a cell came about, where there is one. */
  command?(cell: CellResult): string | null;
  sections?(report: Rendered, cells: CellReader): Section[];
  /** More of one subject: tags, figures, what its gates are about. */
  subjectBlocks?(subject: SubjectReport, report: Rendered): Block[];
  /** By case id, where a verdict over the trials of a case is more than its cells. */
  caseVerdicts?(subject: SubjectReport): ReadonlyMap<string, CaseVerdict>;
  tally?(subject: SubjectReport): Tally;
  /** Whether a subject is there to compare with and is in no verdict: a baseline, a test of the bench itself. */
  isReference?(subject: Pick<SubjectReport, "skillId" | "model" | "arm">): boolean;
  /** Why something was not tested, in words, by the reason that the document has. */
  readonly skipReasons?: Readonly<Record<string, string>>;
  /** What a reader must know about how such a run was made. */
  runFacts?(report: Rendered): Fact[];
  /** Whether a run started no process, so that there was nothing to contain. */
  startsNothing?(report: Rendered): boolean;
}
