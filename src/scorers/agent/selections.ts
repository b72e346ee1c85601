import { type Call, selectedIn, startOf } from "./call.ts";
import type { RunView } from "./run-view.ts";

export interface Selections {
  /** In the order they were first selected, each with the line from which on it counts. */
  selected: ReadonlyMap<string, number>;
  /** Names in selections that were refused, or whose bodies could not be loaded. */
  rejected: readonly string[];
}

/** The skills that a run selected, by the names they are indexed under. */
export function selectionsIn(view: RunView): Selections {
  const selected = new Map<string, number>();
  const rejected = new Set<string>();
  for (const call of view.calls) {
    for (const { name } of selectedIn(call)) {
      const known = indexedName(view, name);
      if (!isAccepted(call) || isLoadMissing(view, call, known)) rejected.add(known);
      else if (!selected.has(known)) selected.set(known, call.planned?.seq ?? 0);
    }
  }
  return { selected, rejected: [...rejected] };
}

/** Whether the core let a call pass; a trace of somebody else's loop may only show that it ran. */
export function isAccepted(call: Call): boolean {
  return call.validated === null ? startOf(call) !== null : call.validated.data.ok;
}

/** The name a skill is indexed under, where a model used another one for it. */
export function indexedName({ indexed }: RunView, name: string): string {
  const skills = indexed?.data.skills ?? [];
  if (skills.some((skill) => skill.name === name)) return name;
  return skills.find(({ aliases }) => aliases?.includes(name))?.name ?? name;
}

/** A selection that failed counts only for the skills that were loaded by then. */
function isLoadMissing(view: RunView, call: Call, name: string): boolean {
  const failed = call.executed.find(({ data }) => data.ok === false);
  if (failed === undefined) return false;
  return !view.of("skill_loaded").some(({ seq, data }) => seq < failed.seq && data.skill.name === name);
}
