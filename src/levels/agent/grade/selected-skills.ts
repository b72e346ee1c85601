import type { AgentEvent, EventData } from "../../../contract/agent-event.ts";
import { groupedBy } from "../../../shared/text/sort-and-group.ts";
import { type Call, findStart, selectedIn } from "./call.ts";

type Indexed = EventData<"skills_indexed">;
type IndexedSkill = Indexed["skills"][number] | NonNullable<Indexed["shadowed"]>[number];

/** The skills a run could choose among, by name. */
export interface SkillIndex {
  names: readonly string[];
  /** The name a skill is indexed under, where a model or a user may have used another one for it. */
  indexedName(name: string): string;
  /** All of this name: the one that is seen first, then those it hides. With a source, those that may come from there. */
  named(name: string, source?: IndexedSkill["source"]): readonly IndexedSkill[];
}

export function skillIndex(event: AgentEvent<"skills_indexed"> | undefined): SkillIndex {
  const { skills = [], shadowed = [] } = event?.data ?? {};
  const byName = groupedBy<IndexedSkill, string>([...skills, ...shadowed], ({ name }) => name);
  const byAlias = new Map<string, string>();
  for (const { name, aliases = [] } of skills)
    for (const alias of aliases) if (!byAlias.has(alias)) byAlias.set(alias, name);
  return {
    names: skills.map(({ name }) => name),
    indexedName: (name) => (byName.has(name) ? name : (byAlias.get(name) ?? name)),
    named(name, source) {
      const all = byName.get(name) ?? [];
      return source == null ? all : all.filter((each) => each.source == null || each.source === source);
    },
  };
}

export interface Selections {
  /** In the order they were first selected, each with the line from which on it counts. */
  selected: ReadonlyMap<string, number>;
  /** Names in selections that were refused, or whose bodies could not be loaded. */
  rejected: readonly string[];
  /** The name under which a skill was selected or rejected, where a case names it with the prefix of its plugin: `office:pdf`. */
  namedAs(name: string): string;
}

/** The skills that a run selected, by the names they are indexed under. */
export function selectionsIn(
  calls: Iterable<Call>,
  index: SkillIndex,
  loads: readonly AgentEvent<"skill_loaded">[],
): Selections {
  const selected = new Map<string, number>();
  const rejected = new Set<string>();
  const plain = new Map<string, string>();
  const firstLoads = new Map(loads.toReversed().map(({ seq, data }) => [data.skill.name, seq]));
  for (const call of calls) {
    // A selection that failed counts only for the skills that were loaded by then.
    const failed = call.executed.find(({ data }) => data.ok === false)?.seq ?? 0;
    for (const { name } of selectedIn(call)) {
      const known = index.indexedName(name);
      const hint = call.planned?.data.source_hint;
      if (hint !== undefined) plain.set(`${hint}:${name}`, known);
      const isLoaded = (firstLoads.get(known) ?? Number.POSITIVE_INFINITY) < failed;
      if (!isAccepted(call) || (failed > 0 && !isLoaded)) rejected.add(known);
      else if (!selected.has(known)) selected.set(known, call.planned?.seq ?? 0);
    }
  }
  return { selected, rejected: [...rejected], namedAs: (name) => plain.get(name) ?? name };
}

/** Whether the core let a call pass; a trace of somebody else's loop may only show that it ran. */
export function isAccepted(call: Call): boolean {
  return call.validated === null ? findStart(call) !== null : call.validated.data.ok;
}
