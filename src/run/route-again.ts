import type { CatalogReport } from "../contract/catalog-report.ts";
import type { Routing } from "../contract/routing.ts";
import type { QueryLine } from "../contract/trigger-report.ts";
import { routingWords } from "../trigger/judges/routing-words.ts";
import type { ReadyTriggers } from "./prepare-triggers.ts";

/** What only the router can tell about choices: why, who else, and how near. */
export interface RoutedAgain extends Pick<CatalogReport, "coSelected" | "closeCalls"> {
  /** Why this skill was chosen for a query, in words; null where no router chose. */
  becauseOf(line: QueryLine, skillId: string): string | null;
}

/** Asks the router once more, where it is the judge: its answers are the same, and their reasons are wanted now. */
export async function routeAgain(
  positives: readonly QueryLine[],
  { judges, catalog }: ReadyTriggers,
  signal: AbortSignal,
): Promise<RoutedAgain> {
  const examples = new Map(catalog.skills.map(({ skill }) => [skill.id, new Set(skill.examples)]));
  const routings = new Map<QueryLine, Routing>();
  for (const line of positives) {
    if (line.judge.kind !== "router") continue;
    const router = await judges.router();
    const isExample = examples.get(line.skillId)?.has(line.query) === true;
    const without = isExample ? { skillId: line.skillId, example: line.query } : undefined;
    routings.set(line, await router.route({ query: line.query, without }, signal));
  }
  return {
    becauseOf(line, skillId) {
      const routed = routings.get(line)?.skills.find(({ id }) => id === skillId);
      return routed === undefined ? null : routingWords(routed);
    },
    coSelected: coSelectedIn(routings),
    closeCalls: [...routings].flatMap(([{ skillId, queryId, query }, { closeCall, margin }]) =>
      closeCall && margin !== null ? [{ skillId, queryId, query, margin }] : [],
    ),
  };
}

/** Pairs that are both chosen, where one of them is meant. */
function coSelectedIn(routings: ReadonlyMap<QueryLine, Routing>): CatalogReport["coSelected"] {
  const pairs = new Map<string, number>();
  for (const [{ skillId }, { skills }] of routings) {
    const selected = skills.filter((skill) => skill.selected).map(({ id }) => id);
    if (!selected.includes(skillId)) continue;
    for (const other of selected) {
      if (other === skillId) continue;
      const pair = JSON.stringify([skillId, other].sort());
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
  }
  return [...pairs]
    .map(([pair, queries]) => ({ skills: JSON.parse(pair) as [string, string], queries }))
    .sort((a, b) => b.queries - a.queries || (JSON.stringify(a.skills) < JSON.stringify(b.skills) ? -1 : 1));
}
