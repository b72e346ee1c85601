import type { Routing } from "../../contract/routing.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import { routingWords } from "../../levels/trigger/judges/routing-words.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import type { CatalogReport } from "./compare/catalog-report.ts";

/** Details about choices that only the router knows. */
export interface RoutedAgain extends Pick<CatalogReport, "coSelected" | "closeCalls"> {
  /** Why this skill was chosen for a query; null where no router chose. */
  explainChoice(line: QueryLine, skillId: string): string | null;
  /** Whether the skill of the query was among the chosen; null where no router chose. */
  isSelected(line: QueryLine): boolean | null;
  /** Null where no router chose. */
  findRouting(line: QueryLine): Routing | null;
  /** About routing by words only where vectors were requested. */
  warnings: string[];
}

/** Routes the queries that the router judged again, for the reasons of its choices. */
export async function routeAgain(
  lines: readonly QueryLine[],
  { judges, catalog }: Pick<ReadyTriggers, "judges" | "catalog">,
  signal: AbortSignal,
): Promise<RoutedAgain> {
  const examples = new Map(catalog.skills.map(({ skill }) => [skill.id, new Set(skill.examples)]));
  const routings = new Map<QueryLine, Routing>();
  const routedLines = lines.filter(({ judge }) => judge.kind === "router");
  const router = routedLines.length === 0 ? judges.lexical : await judges.router();
  for (const line of routedLines) {
    const isExample = examples.get(line.skillId)?.has(line.query) === true;
    const without = isExample ? { skillId: line.skillId, example: line.query } : undefined;
    routings.set(line, await router.route({ query: line.query, without, about: [line.skillId] }, signal));
  }
  const routedIn = (line: QueryLine, skillId: string) =>
    routings.get(line)?.skills.find(({ id }) => id === skillId);
  return {
    explainChoice(line, skillId) {
      const routed = routedIn(line, skillId);
      return routed === undefined ? null : routingWords(routed);
    },
    isSelected: (line) => routedIn(line, line.skillId)?.selected ?? null,
    findRouting: (line) => routings.get(line) ?? null,
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
