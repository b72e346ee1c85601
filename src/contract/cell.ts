import type { Scorer } from "./scorer.ts";
import type { Task } from "./task.ts";
import type { UnitSkill } from "./unit-skill.ts";

/** A task with everything decided that can be decided before it runs. */
export interface ResolvedTask {
  task: Task;
  /** Content of the task alone: pairs it with itself in another report. */
  digest: string;
  scorer: Scorer;
  /** Everything that decides how an answer is judged, as one hash. */
  scorerDigest: string;
}

/** What every kind of evaluation knows of the skill it is about. */
export type TestedSkill = Pick<UnitSkill, "id" | "digest">;

/** Skill × task × trial: the unit of work. */
export interface Cell {
  /** The same on every machine: a hash of all that decides the result. */
  key: string;
  /** Place in the plan; reports list cells in this order. */
  position: number;
  /** What the store keeps it under: the benchmark's id, or `triggering`. */
  suiteId: string;
  skill: TestedSkill;
  task: ResolvedTask;
  /** 1-based. */
  trial: number;
  deadlineMs: number;
}
