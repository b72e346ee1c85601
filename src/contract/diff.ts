import type { SubjectReport } from "./document.ts";

/** Two ends of a 95 % interval. */
interface DiffBounds {
  lower: number;
  upper: number;
}

/** Whether a change is one for the better. The words better and worse are used only where the verdict is decided. */
export type Sense = "better" | "worse" | "same" | "within-noise";

/** One figure in both reports. */
export interface MetricDiff {
  a: number | null;
  b: number | null;
  delta: number | null;
  sense: Sense;
}

/** What the tasks say of a skill: worse, better, or nothing that is beyond noise. */
export type DiffVerdict = "regressed" | "improved" | "inconclusive";

/** A task whose pass rate is not what it was. */
export interface TaskChange {
  taskId: string;
  /** As people know it, where the id says little. */
  title?: string;
  /** Share of valid trials that passed, before and after. */
  a: number;
  b: number;
}

/** One subject in both reports. */
export interface SkillDiff extends ComparedSubject {
  /** The name it had in the first report, where it has another one now. */
  nameA?: string;
  verdict: DiffVerdict;
  reason: string;
  /** Those that both reports have, in the order they are shown. */
  metrics: Record<string, MetricDiff>;
  /** The figures that represent it where space is scarce. */
  main: readonly string[];
  paired: {
    tasks: number;
    meanDelta: number | null;
    interval: DiffBounds | null;
    broken: string[];
    fixed: string[];
    shifted: string[];
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
  warnings: string[];
  exitCode: 0 | 1;
}

/** A diff, and what people want to see of each task that the document does not hold. */
export interface DiffWithTasks {
  diff: ReportDiff;
  /** By index in `skills`. */
  changes: readonly (readonly TaskChange[])[];
}
