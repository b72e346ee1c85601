import type { AgentEvent } from "../../../contract/agent-event.ts";
import { type Call, selectedIn, startOf } from "./call.ts";
import type { SkillIndex } from "./skill-index.ts";

export interface Selections {
  /** In the order they were first selected, each with the line from which on it counts. */
  selected: ReadonlyMap<string, number>;
  /** Names in selections that were refused, or whose bodies could not be loaded. */
  rejected: readonly string[];
}

/** The skills that a run selected, by the names they are indexed under. */
export function selectionsIn(
  calls: Iterable<Call>,
  index: SkillIndex,
  loads: readonly AgentEvent<"skill_loaded">[],
): Selections {
  const selected = new Map<string, number>();
  const rejected = new Set<string>();
  const firstLoads = new Map(loads.toReversed().map(({ seq, data }) => [data.skill.name, seq]));
  for (const call of calls) {
    // A selection that failed counts only for the skills that were loaded by then.
    const failed = call.executed.find(({ data }) => data.ok === false)?.seq ?? 0;
    for (const { name } of selectedIn(call)) {
      const known = index.nameOf(name);
      const isLoaded = (firstLoads.get(known) ?? Number.POSITIVE_INFINITY) < failed;
      if (!isAccepted(call) || (failed > 0 && !isLoaded)) rejected.add(known);
      else if (!selected.has(known)) selected.set(known, call.planned?.seq ?? 0);
    }
  }
  return { selected, rejected: [...rejected] };
}

/** Whether the core let a call pass; a trace of somebody else's loop may only show that it ran. */
export function isAccepted(call: Call): boolean {
  return call.validated === null ? startOf(call) !== null : call.validated.data.ok;
}
