import { noTriggering, type Triggering, type TriggerQuery } from "../../contract/triggering.ts";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import { makeQuery } from "../../levels/trigger/queries/make-query.ts";
import { mergeQueries } from "../../levels/trigger/queries/merge-queries.ts";

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
