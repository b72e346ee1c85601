import type { Json } from "../shared/json/json.ts";
import type { Scorer } from "./scorer.ts";
import type { Task } from "./task.ts";

/** What a suite tests: a skill, or a model with all skills it is given, under one condition. */
export interface Subject {
  /** Null where no single skill is tested. */
  skillId: string | null;
  skillVersion: string;
  skillDigest: string;
  model: string | null;
  /** The condition: which skills a model gets, and how; null where there is only one. */
  arm: string | null;
}

/** One thing to try, as the engine knows it. */
export interface PlannedCase {
  id: string;
  /** Content of the case alone: pairs it with itself in another report. */
  digest: string;
  title: string | null;
  input: Json;
  expected: Json;
  tags: readonly string[];
  weight: number;
}

/** A task with everything decided that can be decided before it runs. */
export interface ResolvedTask extends PlannedCase {
  task: Task;
  scorer: Scorer;
  /** Everything that decides how an answer is judged, as one hash. */
  scorerDigest: string;
}

/** Subject × case × trial: the unit of work. */
export interface Cell<Case extends PlannedCase = PlannedCase, Of extends Subject = Subject> {
  /** The same on every machine: a hash of all that decides the result. */
  key: string;
  /** Index in the plan of its suite; reports list cells in this order. */
  position: number;
  level: string;
  suiteId: string;
  subject: Of;
  case: Case;
  /** From 1. */
  trial: number;
  deadlineMs: number;
}

/** The name of a subject for people and for the store: two subjects of a suite never share one. */
export function subjectName({ skillId, model, arm }: Pick<Subject, "skillId" | "model" | "arm">): string {
  const name = skillId ?? model ?? arm ?? "-";
  const isNamed = arm === null || arm === name || arm === "installed" || arm === "routed";
  return isNamed ? name : `${name} (${armWords[arm] ?? arm})`;
}

/** Arms as people read them. */
const armWords: Readonly<Record<string, string>> = { absent: "no skills" };
