import type { SubjectReport } from "./document.ts";

/** Two ends of a 95 % interval. */
interface DiffBounds {
  lower: number;
  upper: number;
}

/** Whether a change is one for the better. Only a figure with a test of its own is called better or worse. */
export type Sense = "better" | "worse" | "same" | "no-difference-found" | "not-tested";

/** How it was decided whether a figure changed. `determinism`: no case is ever mixed, so one that changed is proof. */
export type DiffTest = "sign-flip" | "determinism" | "strict" | "bootstrap";

/** One figure in both reports, over the cases that both have. */
export interface MetricDiff {
  a: number | null;
  b: number | null;
  delta: number | null;
  sense: Sense;
  /** Null where it was not tested. */
  test: DiffTest | null;
  p: number | null;
  /** Of `delta`; of `ratio` where that is given. */
  interval: DiffBounds | null;
  /** `b` as a multiple of `a`, where ratios are tested. */
  ratio?: number;
  /** Why it was not tested. */
  reason?: string;
}

/** What the cases say of a skill. */
export type DiffVerdict = "regressed" | "improved" | "unchanged" | "inconclusive" | "not-comparable";

/** A task whose pass rate is not what it was. */
export interface TaskChange {
  taskId: string;
  /** As people know it, where the id says little. */
  title?: string;
  /** Share of valid trials that passed, before and after. */
  a: number;
  b: number;
}

/** Cases that were not compared, by id. */
export interface NotCompared {
  /** The content is another. */
  edited: string[];
  onlyA: string[];
  onlyB: string[];
  /** Every trial of one side is invalid. */
  invalid: string[];
  /** In quarantine in one of the reports; left out where none is. */
  quarantined?: string[];
}

/** All cases of one report, whether they were compared or not. */
export interface DiffTotal {
  cases: number;
  /** The main figure as the report has it. */
  rate: number | null;
}

/** One subject in both reports. */
export interface SkillDiff extends ComparedSubject {
  /** The name it had in the first report, where it has another one now. */
  nameA?: string;
  verdict: DiffVerdict;
  /** How it was decided; null where it was not. */
  decidedBy: DiffTest | null;
  reason: string;
  remarks: string[];
  /** In the order they are shown. */
  metrics: Record<string, MetricDiff>;
  /** The figure that the verdict is about. */
  main: string;
  totals: { a: DiffTotal; b: DiffTotal };
  paired: {
    /** Compared ones. */
    tasks: number;
    /** Of the cases of the first report, the share that was compared; null where it has none. */
    coverage: number | null;
    /** Of the trials of compared cases, the share that has a verdict, in the report where it is smaller. */
    decided: number | null;
    /** The least valid trials that a compared case has on either side. */
    trials: number;
    meanDelta: number | null;
    interval: DiffBounds | null;
    p: number | null;
    /** The smallest drop that would have been seen with a chance of 80 %. */
    smallestDetectableDrop: number | null;
    broken: string[];
    fixed: string[];
    shifted: string[];
    notCompared: NotCompared;
  };
}

/** What the cases of a comparison are called: one of them, several of them. */
export type CaseNoun = readonly [one: string, many: string];

/** What is compared: a subject, and what people call it and its cases. */
export interface ComparedSubject
  extends Pick<SubjectReport, "level" | "suite" | "skillId" | "model" | "arm"> {
  /** As people know it: the id of a skill, or a model. */
  name: string;
  nouns: { case: CaseNoun; subject: string };
}

/** The document `report diff` prints. */
export interface ReportDiff {
  labels: { a: string; b: string };
  skills: SkillDiff[];
  added: ComparedSubject[];
  removed: ComparedSubject[];
  /** Not compared because one of the runs was limited to single cases. */
  leftOut: ComparedSubject[];
  warnings: string[];
  /** How many of the verdicts are expected to be false; where they were corrected for their number, the chance of any. */
  expectedFalse: number;
  isFamilyWise: boolean;
  /** What the gates did not accept, the worst first. */
  failures: string[];
  exitCode: 0 | 1 | 3;
}

/** A diff, and what people want to see of each task that the document does not hold. */
export interface DiffWithTasks {
  diff: ReportDiff;
  /** By index in `skills`. */
  changes: readonly (readonly TaskChange[])[];
}
