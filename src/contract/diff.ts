import { suiteOfAgents } from "./agent-report.ts";
import { tableOfBench } from "./planbench-report.ts";
import { triggeringSuite } from "./trigger-report.ts";

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

/** The figures that are compared: of tasks, of trigger queries, of plans, and of several of them. */
export type MetricName =
  | "completionRate"
  | "errorRate"
  | "compositeScore"
  | "passRate"
  | "ok0Rate"
  | "recall"
  | "precision"
  | "mcc"
  | "latencyP95Ms";

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

/** One skill on one benchmark, in both reports. */
export interface SkillDiff {
  skillId: string;
  /** The id it had in the first report, where it has another one now. */
  skillIdA?: string;
  benchmarkId: string;
  verdict: DiffVerdict;
  reason: string;
  /** Those that both reports have. */
  metrics: Partial<Record<MetricName, MetricDiff>>;
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

/** Trigger queries, agent cases and cases of a bench stand where tasks do, under the name of their suite. */
export function caseNoun({ benchmarkId }: Pick<SkillName, "benchmarkId">): CaseNoun {
  if (benchmarkId === triggeringSuite) return ["query", "queries"];
  const hasCases = suiteOfAgents(benchmarkId) !== null || tableOfBench(benchmarkId) !== null;
  return hasCases ? ["case", "cases"] : ["task", "tasks"];
}

/** A skill that stands in one of the reports only; of agent cases and plans the model, and the suite or the table. */
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
