/** Two ends of a 95 % interval. */
interface DiffBounds {
  lower: number;
  upper: number;
}

/** Whether a change is one for the better. The words better and worse stand only where the verdict is decided. */
export type Sense = "better" | "worse" | "same" | "within-noise";

/** One figure in both reports. */
export interface MetricDiff {
  a: number | null;
  b: number | null;
  delta: number | null;
  sense: Sense;
}

/** The figures that are compared. */
export type MetricName = "completionRate" | "errorRate" | "latencyP95Ms" | "compositeScore";

/** What the tasks say of a skill: worse, better, or nothing that is beyond noise. */
export type DiffVerdict = "regressed" | "improved" | "inconclusive";

/** A task whose pass rate is not what it was. */
export interface TaskChange {
  taskId: string;
  /** Share of valid trials that passed, before and after. */
  a: number;
  b: number;
}

/** One skill on one benchmark, in both reports. */
export interface SkillDiff {
  skillId: string;
  /** The id it had in the first report, where it has another one now. */
  skillIdA?: string;
  benchmarkId: string;
  verdict: DiffVerdict;
  reason: string;
  metrics: Record<MetricName, MetricDiff>;
  paired: {
    tasks: number;
    meanDelta: number | null;
    interval: DiffBounds | null;
    broken: string[];
    fixed: string[];
    shifted: string[];
  };
}

/** A skill that stands in one of the reports only. */
export interface SkillName {
  skillId: string;
  benchmarkId: string;
}

/** The document `report diff` prints. */
export interface ReportDiff {
  labels: { a: string; b: string };
  skills: SkillDiff[];
  added: SkillName[];
  removed: SkillName[];
  warnings: string[];
  exitCode: 0 | 1;
}

/** A diff, and what people want to see of each task that the document has no place for. */
export interface DiffWithTasks {
  diff: ReportDiff;
  /** By place in `skills`. */
  changes: readonly (readonly TaskChange[])[];
}
