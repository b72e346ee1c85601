import { canonicalJson, sha256 } from "../base/canonical-json.ts";
import type { Cell, ResolvedTask } from "../contract/cell.ts";
import type { Skill } from "../contract/skill.ts";

export interface PlanRequest {
  skills: readonly Skill[];
  tasks: readonly ResolvedTask[];
  trials: number;
  deadlineOf: (skill: Skill, task: ResolvedTask) => number;
}

/** Unfolds skills and tasks into cells, one at a time: every trial, every skill, every task. */
export function planCells({
  skills,
  tasks,
  trials,
  deadlineOf,
}: PlanRequest): Iterable<Cell> & { size: number } {
  const identities = new Map(skills.map((skill) => [skill, sha256(canonicalJson(skill.adapter))]));
  const scorers = new Map(tasks.map((task) => [task, scorerIdentity(task)]));

  function* cells(): Generator<Cell> {
    let position = 0;
    for (let trial = 1; trial <= trials; trial++) {
      for (const skill of skills) {
        for (const task of tasks) {
          const deadlineMs = deadlineOf(skill, task);
          const key = sha256(
            canonicalJson({
              adapter: identities.get(skill),
              deadlineMs,
              scorer: scorers.get(task),
              skill: skill.digest,
              task: task.digest,
              trial,
            }),
          );
          yield { key, position: position++, skill, task, trial, deadlineMs };
        }
      }
    }
  }

  return { size: skills.length * tasks.length * trials, [Symbol.iterator]: cells };
}

/** Everything that decides how an answer is judged, as one hash. */
export function scorerIdentity({ scorer }: ResolvedTask): string {
  return sha256(canonicalJson({ type: scorer.type, identity: scorer.identity }));
}
