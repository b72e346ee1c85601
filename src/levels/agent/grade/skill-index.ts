import type { AgentEvent, EventData } from "../../../contract/agent-event.ts";
import { groupedBy } from "../../../shared/text/grouped-by.ts";

type Indexed = EventData<"skills_indexed">;
type IndexedSkill = Indexed["skills"][number] | NonNullable<Indexed["shadowed"]>[number];

/** The skills a run could choose among, by name. */
export interface SkillIndex {
  names: readonly string[];
  /** The name a skill is indexed under, where a model or a user may have used another one for it. */
  nameOf(name: string): string;
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
    nameOf: (name) => (byName.has(name) ? name : (byAlias.get(name) ?? name)),
    named(name, source) {
      const all = byName.get(name) ?? [];
      return source == null ? all : all.filter((each) => each.source == null || each.source === source);
    },
  };
}
