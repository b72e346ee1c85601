import { noTriggering, type Triggering, type TriggerQuery } from "../../contract/triggering.ts";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import { foldQuery, makeQuery, mergeQueries } from "../../levels/trigger/queries/make-query.ts";
import type { TriggeringOf } from "../../levels/trigger/read-trigger-skills.ts";
import { queryName } from "../../levels/trigger/verdict/query-line.ts";

/** What the new state of skills is asked, and which of it is new. */
export interface HeadQueries {
  triggeringOf: TriggeringOf;
  isNew(query: { skillId: string; queryId: string }): boolean;
  /** Whether the tests of the new state do without a query of the base. */
  isDropped(query: { skillId: string; queryId: string }): boolean;
}

/** All that the base was asked, by the same judge, and after it what only the new tests of a skill have. */
export function headQueries(base: ReadonlyMap<string, Triggering>, ownOf: TriggeringOf): HeadQueries {
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

/** Those of a list that say on their side what no query of the other list says. */
function withoutKnown(queries: readonly TriggerQuery[], known: readonly TriggerQuery[]): TriggerQuery[] {
  const texts = new Set(known.map(textOf));
  return mergeQueries(queries).queries.filter((query) => !texts.has(textOf(query)));
}

function textOf({ side, text }: TriggerQuery): string {
  return `${side} ${foldQuery(text)}`;
}

/** A query that was reworded, or stands on the other side now, has the id of another. */
function freeId(id: string, taken: Set<string>): string {
  let free = id;
  while (taken.has(free)) free = `${free}-new`;
  taken.add(free);
  return free;
}

/** The trigger tests of a skill with the examples of its manifest: its author says that they are meant for it. */
export function withExamples({ skill, judged }: CatalogSkill, own: Triggering | null): Triggering | null {
  if (judged.card.description === "") return own; // no judge could go by such a card
  const place = { file: "skill.json" };
  const examples = skill.examples.flatMap((text): TriggerQuery[] => {
    const made = makeQuery({ text, side: "should_match", place, tags: ["example"] });
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
