import type { SubjectState, VerdictView } from "../../contract/format.ts";
import type { Counts, Verdict } from "../../contract/result.ts";
import type { Block, CaseVerdict, Fact, Scalar, Section, Tally, Tone, Unit } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";

/** The data of a report page. Everything is words and figures: the page knows no level. */
export interface PageData {
  verdict: VerdictView;
  run: { id: string; command: string; tool: string; startedAt: string; finishedAt: string };
  facts: readonly Fact[];
  gates: readonly PageGate[];
  warnings: readonly string[];
  skipped: readonly PageSkip[];
  suites: readonly PageSuite[];
  subjects: readonly PageSubject[];
  sections: readonly Section[];
  /** How many cells the run has, where the page holds only the first that did not pass; null where it holds all. */
  cellsInAll: number | null;
  cells: readonly PageCell[];
  cases: readonly PageCase[];
}

/** Gates on one figure, as a sentence. */
export interface PageGate {
  words: string;
  /** Null: unknown. */
  passed: boolean | null;
  enforced: boolean;
}

/** What was not tested for the same reason. */
export interface PageSkip {
  reason: string;
  names: readonly string[];
}

export interface PageSuite {
  id: string;
  /** Its kind, in a word. */
  level: string;
  caseNouns: readonly [one: string, many: string];
  subjectNoun: string;
  /** The columns that only cells of its kind have. */
  columns: readonly PageColumn[];
}

export interface PageColumn {
  id: string;
  label: string;
  unit?: Unit;
  isFilter?: boolean;
  /** Whether it only serves to choose cells. */
  isHidden?: boolean;
}

export interface PageSubject {
  /** Index in `suites`. */
  suite: number;
  /** As no other subject of the report is called. */
  name: string;
  /** As no other subject of its suite is called. */
  shortName: string;
  state: SubjectState;
  tally: Tally;
  counts: Counts;
  trials: number;
  facts: readonly PageFact[];
  blocks: readonly Block[];
  /** By case id, where a verdict over the trials of a case is more than its cells. */
  verdicts: readonly (readonly [caseId: string, verdict: CaseVerdict])[];
}

/** A fact and the limit that an enforced gate sets to it. */
export interface PageFact extends Fact {
  limit?: { threshold: number; passed: boolean | null };
}

export interface PageCase {
  /** Index in `suites`. */
  suite: number;
  id: string;
  /** What it is called where cells are listed: its id, unless that says little. */
  name: string;
  title: string | null;
  tags: readonly string[];
  /** As text; null where the report does not say. */
  input: string | null;
  expected: Json;
  isShortened: boolean;
  /** Whether it belongs to one subject's skill, so that other subjects of the suite do not have it. */
  isOwn: boolean;
}

/** A value of a column, with its tone where it has one. */
export type PageValue = Scalar | readonly [value: Scalar, tone: Tone];

/** A row of the table of cells. A list and not an object: there may be fifty thousand. */
export type PageCell = readonly [
  /** Index in `subjects`. */
  subject: number,
  /** Index in `cases`. */
  one: number,
  trial: number,
  status: Verdict,
  attempts: number,
  score: number | null,
  latencyMs: number | null,
  costUsd: number | null,
  /** Its key, or enough of it: its address in the page. */
  key: string,
  /** Empty where there is nothing to say. */
  reason: string,
  /** In the order of the columns of its suite. */
  values: readonly PageValue[],
  /** Why it is what it is; null where the page would become too large. */
  blocks: readonly PageBlock[] | null,
];

/** A block, or where to find what it holds: many cells share the input and the expectation of their case. */
export type PageBlock =
  | Block
  | { kind: "reason"; title?: string; tone?: Tone }
  | { kind: "input"; title?: string }
  | { kind: "caseDiff"; title?: string; actual: Json };
