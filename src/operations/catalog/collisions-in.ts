import type { RoutableSkill, RoutingSettings } from "../../contract/routing.ts";
import { termOverlaps, termWeights } from "../../routing/routing-terms.ts";
import { inOrder } from "../../shared/async/in-order.ts";
import type { CatalogReport, SharedName } from "./compare/catalog-report.ts";

/** Pairs below this are alike by chance. */
const leastLikeness = 0.1;
/** Nobody reads more of them. */
const maxPairs = 500;
const maxShared = 8;

/** Names that several skills have, and pairs that are found by the same words, the worst first. */
export function collisionsIn(
  skills: readonly RoutableSkill[],
  cjk: RoutingSettings["cjk"],
): CatalogReport["collisions"] {
  const folded = (text: string) => text.normalize("NFKC").toLowerCase().trim();
  const { pairs, count } = termOverlaps(termWeights(skills, cjk), { least: leastLikeness, most: maxPairs });
  return {
    triggers: sharedNames(skills, ({ triggers }) => triggers.map(folded)),
    tools: sharedNames(skills, ({ toolNames }) => toolNames),
    terms: pairs.map(({ shared, ...pair }) => ({ ...pair, shared: shared.slice(0, maxShared) })),
    alikePairs: count,
  };
}

function sharedNames(
  skills: readonly RoutableSkill[],
  namesOf: (skill: RoutableSkill) => readonly string[],
): SharedName[] {
  const owners = new Map<string, Set<string>>();
  for (const skill of skills)
    for (const name of namesOf(skill))
      if (name !== "") owners.set(name, (owners.get(name) ?? new Set()).add(skill.id));
  return [...owners]
    .filter(([, ids]) => ids.size > 1)
    .map(([name, ids]) => ({ name, skills: [...ids].sort() }))
    .sort((a, b) => b.skills.length - a.skills.length || inOrder(a.name, b.name));
}
