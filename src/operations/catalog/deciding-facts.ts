import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import { canonicalJson } from "../../shared/json/canonical-json.ts";

/** What of a skill decides whether it is chosen, to tell an edit of it from one of the body alone. */
export function decidingFacts({ routable, judged: { card } }: CatalogSkill): string {
  const { toolNames, aliases, ...facts } = routable;
  const { description, triggers, notFor } = card;
  return canonicalJson({ ...facts, aliases: [...aliases].sort(), card: { description, triggers, notFor } });
}
