import type { ResolvedTask } from "../contract/cell.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";

export interface DeadlineSettings {
  /** `timeoutMs` of the configuration, a typed flag included. */
  timeoutMs: number;
  /** Whether `--timeout` was typed: then it also caps what tasks and skills say. */
  isTyped: boolean;
}

/** How long one attempt at this task may take. */
export function taskDeadlineMs(
  skill: UnitSkill,
  { task }: ResolvedTask,
  { timeoutMs, isTyped }: DeadlineSettings,
): number {
  const wanted = task.timeoutMs ?? skill.adapter.config?.timeoutMs ?? timeoutMs;
  return isTyped ? Math.min(wanted, timeoutMs) : wanted;
}

/** The warning that a typed `--timeout` has no effect because every other timeout is shorter. */
export function uselessTimeout(
  skills: readonly UnitSkill[],
  tasks: readonly ResolvedTask[],
  settings: DeadlineSettings,
): string | null {
  if (!settings.isTyped) return null;
  let longest = 0;
  let setting = "";
  for (const skill of skills) {
    for (const task of tasks) {
      const own = task.task.timeoutMs ?? skill.adapter.config?.timeoutMs;
      if (own === undefined || own >= settings.timeoutMs) return null;
      if (own > longest) {
        longest = own;
        setting =
          task.task.timeoutMs === undefined
            ? `timeoutMs of ${skill.id}`
            : `timeoutMs of task ${task.task.id}`;
      }
    }
  }
  return `--timeout ${settings.timeoutMs} has no effect: every timeout is shorter (longest: ${longest} ms, ${setting})`;
}
