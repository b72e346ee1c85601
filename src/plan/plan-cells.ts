import { canonicalJson, sha256 } from "../base/canonical-json.ts";
import type { Cell, ResolvedTask } from "../contract/cell.ts";
import type { Scorer } from "../contract/scorer.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";

export interface PlanRequest {
  suiteId: string;
  skills: readonly UnitSkill[];
  tasks: readonly ResolvedTask[];
  trials: number;
  deadlineOf: (skill: UnitSkill, task: ResolvedTask) => number;
}

/** Unfolds skills and tasks into cells, one at a time: every trial, every skill, every task. */
export function planCells({
  suiteId,
  skills,
  tasks,
  trials,
  deadlineOf,
}: PlanRequest): Iterable<Cell> & { size: number } {
  const adapters = new Map(skills.map((skill) => [skill, sha256(canonicalJson(skill.adapter))]));

  function* cells(): Generator<Cell> {
    let position = 0;
    for (let trial = 1; trial <= trials; trial++) {
      for (const skill of skills) {
        for (const task of tasks) {
          const deadlineMs = deadlineOf(skill, task);
          const key = cellKey({ skill, task, trial, deadlineMs, adapter: adapters.get(skill) ?? "" });
          yield { key, position: position++, suiteId, skill, task, trial, deadlineMs };
        }
      }
    }
  }

  return { size: skills.length * tasks.length * trials, [Symbol.iterator]: cells };
}

/** Written out by hand because it is made once per cell; it is the canonical JSON of these members. */
function cellKey({
  skill,
  task,
  trial,
  deadlineMs,
  adapter,
}: Omit<Cell, "key" | "position" | "suiteId"> & { adapter: string }): string {
  return sha256(
    `{"adapter":"${adapter}","deadlineMs":${deadlineMs},"scorer":"${task.scorerDigest}",` +
      `"skill":"${skill.digest}","task":"${task.digest}","trial":${trial}}`,
  );
}

/** Everything that decides how an answer is judged, as one hash. */
export function scorerDigest({ type, identity }: Scorer): string {
  return sha256(canonicalJson({ type, identity }));
}
