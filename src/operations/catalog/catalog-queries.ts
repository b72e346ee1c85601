import { noTriggering, type Triggering, type TriggerQuery } from "../../contract/triggering.ts";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import { foldQuery, makeQuery, mergeQueries } from "../../levels/trigger/queries/make-query.ts";
import type { ReplaceTriggering } from "../../levels/trigger/read-trigger-skills.ts";
import { queryName } from "../../levels/trigger/verdict/query-line.ts";

/** The queries for the new state of a catalog, and which of them are new. */
export interface HeadQueries {
  triggeringOf: ReplaceTriggering;
  isNew(query: { skillId: string; queryId: string }): boolean;
  /** Whether the new state no longer has a query of the base. */
  isDropped(query: { skillId: string; queryId: string }): boolean;
}

/** All queries of the base, by the same judge, followed by those that only the new state has. */
export function headQueries(base: ReadonlyMap<string, Triggering>, ownOf: ReplaceTriggering): HeadQueries {
  const fresh = new Set<string>();
  const dropped = new Set<string>();
  return {
    isNew: (query) => fresh.has(queryName(query)),
    isDropped: (query) => dropped.has(queryName(query)),
    triggeringOf(entry, block) {
      const { id } = entry.skill;
      const named = (query: TriggerQuery) => queryName({ skillId: id, queryId: query.id });
      const own = ownOf(entry, block);
      const before = base.get(id);
      const known = before?.queries ?? [];
      const added = withoutKnown(own?.queries ?? [], known);
      for (const query of withoutKnown(known, own?.queries ?? [])) dropped.add(named(query));
      const taken = new Set(known.map((query) => query.id));
      const news = added.map((query) => ({ ...query, id: freeId(query.id, taken) }));
      for (const query of news) fresh.add(named(query));
      const settings = before ?? own;
      return settings && { ...settings, queries: [...known, ...news] };
    },
  };
}

/** The queries whose side and text do not occur in the other list. */
function withoutKnown(queries: readonly TriggerQuery[], known: readonly TriggerQuery[]): TriggerQuery[] {
  const texts = new Set(known.map(queryText));
  return mergeQueries(queries).queries.filter((query) => !texts.has(queryText(query)));
}

function queryText({ side, text }: TriggerQuery): string {
  return `${side} ${foldQuery(text)}`;
}

/** A query that was reworded or changed sides may have the id of another. */
function freeId(id: string, taken: Set<string>): string {
  let free = id;
  while (taken.has(free)) free = `${free}-new`;
  taken.add(free);
  return free;
}

/** The trigger tests of a skill with the examples of its manifest: its author says that they are meant for it. */
export function withExamples({ skill, judged }: CatalogSkill, own: Triggering | null): Triggering | null {
  if (judged.card.description === "") return own; // a judge cannot decide without a description
  const location = { file: "skill.json" };
  const examples = skill.examples.flatMap((text): TriggerQuery[] => {
    const made = makeQuery({ text, side: "should_match", location, tags: ["example"] });
    return made.ok ? [made.query] : [];
  });
  if (own === null && examples.length === 0) return null;
  const known = own ?? noTriggering;
  const { queries } = mergeQueries([...known.queries, ...examples]);
  return { ...known, queries: withoutSecondIds(queries) };
}

/** A text that is on both sides is reported by `doctor`; here its first side counts. */
function withoutSecondIds(queries: readonly TriggerQuery[]): TriggerQuery[] {
  const first = new Map<string, TriggerQuery>();
  for (const query of queries) if (!first.has(query.id)) first.set(query.id, query);
  return [...first.values()];
}
