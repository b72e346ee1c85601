import type { Routing } from "../../contract/routing.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import { routingWords } from "../../levels/trigger/judges/routing-words.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import type { CatalogReport } from "./compare/catalog-report.ts";

/** What only the router can tell about choices: why, who else, how near, and by what. */
export interface RoutedAgain extends Pick<CatalogReport, "coSelected" | "closeCalls"> {
  /** Why this skill was chosen for a query, in words; null where no router chose. */
  becauseOf(line: QueryLine, skillId: string): string | null;
  /** Whether the skill that is asked about was among the chosen; null where no router chose. */
  isSelected(line: QueryLine): boolean | null;
  /** The whole of it; null where no router chose. */
  routingOf(line: QueryLine): Routing | null;
  /** That words alone decided where vectors were asked for. */
  warnings: string[];
}

/** Asks the router once more, where it is the judge: its answers are the same, and their reasons are wanted now. */
export async function routeAgain(
  lines: readonly QueryLine[],
  { judges, catalog }: Pick<ReadyTriggers, "judges" | "catalog">,
  signal: AbortSignal,
): Promise<RoutedAgain> {
  const examples = new Map(catalog.skills.map(({ skill }) => [skill.id, new Set(skill.examples)]));
  const routings = new Map<QueryLine, Routing>();
  const asked = lines.filter(({ judge }) => judge.kind === "router");
  const router = asked.length === 0 ? judges.lexical : await judges.router();
  for (const line of asked) {
    const isExample = examples.get(line.skillId)?.has(line.query) === true;
    const without = isExample ? { skillId: line.skillId, example: line.query } : undefined;
    routings.set(line, await router.route({ query: line.query, without }, signal));
  }
  const routedIn = (line: QueryLine, skillId: string) =>
    routings.get(line)?.skills.find(({ id }) => id === skillId);
  return {
    becauseOf(line, skillId) {
      const routed = routedIn(line, skillId);
      return routed === undefined ? null : routingWords(routed);
    },
    isSelected: (line) => routedIn(line, line.skillId)?.selected ?? null,
    routingOf: (line) => routings.get(line) ?? null,
    warnings: router.mode === "lexical" ? [] : fallbackWarnings([...routings.values()]),
    coSelected: coSelectedIn(routings),
    closeCalls: closeCallsIn(routings),
  };
}

function fallbackWarnings(routings: readonly Routing[]): string[] {
  const fallen = routings.filter(({ mode }) => mode === "lexical");
  const [first] = fallen;
  if (first === undefined) return [];
  return [
    `${fallen.length} of ${routings.length} queries were routed by words only: ${first.fallbackReason}`,
  ];
}

function closeCallsIn(routings: ReadonlyMap<QueryLine, Routing>): CatalogReport["closeCalls"] {
  return [...routings]
    .flatMap(
      ([
        { skillId, queryId, query },
        {
          closeCall,
          margin,
          skills: [first, second],
        },
      ]) =>
        closeCall && margin !== null && first !== undefined && second !== undefined
          ? [{ skillId, queryId, query, between: [first.id, second.id] as [string, string], margin }]
          : [],
    )
    .sort((a, b) => a.margin - b.margin || inOrder(a.skillId, b.skillId) || inOrder(a.query, b.query));
}

/** Pairs that are both chosen, where one of them is meant. */
function coSelectedIn(routings: ReadonlyMap<QueryLine, Routing>): CatalogReport["coSelected"] {
  const pairs = new Map<string, { skills: [string, string]; queries: number }>();
  for (const [{ skillId, side }, { skills }] of routings) {
    if (side !== "should_match") continue;
    const selected = skills.filter((skill) => skill.selected).map(({ id }) => id);
    if (!selected.includes(skillId)) continue;
    for (const other of selected) {
      if (other === skillId) continue;
      const pair = [skillId, other].sort() as [string, string];
      const key = JSON.stringify(pair);
      pairs.set(key, { skills: pair, queries: (pairs.get(key)?.queries ?? 0) + 1 });
    }
  }
  return [...pairs]
    .sort(([a, one], [b, two]) => two.queries - one.queries || inOrder(a, b))
    .map(([, pair]) => pair);
}
