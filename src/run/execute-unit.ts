import type { Adapter } from "../contract/adapter.ts";
import type { Cell } from "../contract/cell.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { LoadedSkill } from "../skills/load-skills.ts";

/** Executes a cell once. Throws only when the run is interrupted. */
export type Execute = (cell: Cell, signal: AbortSignal) => Promise<Outcome>;

/** Calls the skill, if it is still the one we loaded. */
export function executeByCalling(
  adapters: ReadonlyMap<string, Adapter>,
  skills: readonly LoadedSkill[],
): Execute {
  const watches = new Map(skills.map(({ skill, watch }) => [skill.id, watch]));
  return async ({ skill, task, deadlineMs }, signal) => {
    if (!(await watches.get(skill.id)?.isUnchanged())) {
      return {
        status: "invalid",
        cause: "skill-changed",
        message: `the files of ${skill.id} changed while the run was under way`,
        latencyMs: 0,
      };
    }
    const adapter = adapters.get(skill.id) as Adapter;
    return adapter.call(task.task.inputData, { deadlineMs, signal });
  };
}
