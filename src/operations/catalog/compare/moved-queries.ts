import { groupedBy, inOrder } from "../../../shared/text/sort-and-group.ts";
import type { ComparedQuery, MovedQueries } from "./catalog-report.ts";
import type { SkillFacts } from "./compare-skills.ts";
import { isAboveNoise } from "./own-noise.ts";

export interface MoverFacts extends SkillFacts {
  isAdded(skillId: string): boolean;
}

/** Who took whose requests, the worst first. */
export function movedQueries(queries: readonly ComparedQuery[], facts: MoverFacts): MovedQueries[] {
  const known = queries.filter(({ change }) => change !== "unknown");
  const moved: MovedQueries[] = [];
  for (const [from, own] of groupedBy(known, ({ meantFor }) => meantFor)) {
    if (from === null) continue;
    const gone = own.filter(({ change }) => change === "moved");
    for (const [to, taken] of groupedBy(gone, ({ after }) => after))
      if (to != null) moved.push(movedPair({ from, to }, taken, own.length, facts));
  }
  return moved.sort(
    (a, b) =>
      Number(a.isInconclusive) - Number(b.isInconclusive) ||
      b.count - a.count ||
      b.count / b.of - a.count / a.of ||
      inOrder(a.from, b.from) ||
      inOrder(a.to, b.to),
  );
}

function movedPair(
  { from, to }: Pick<MovedQueries, "from" | "to">,
  taken: readonly ComparedQuery[],
  of: number,
  facts: MoverFacts,
): MovedQueries {
  const isAdded = facts.isAdded(to);
  const isEdited = isAdded || facts.isEdited(to);
  const flipRate = taken.map(facts.flipRateOf).find((rate) => rate !== null) ?? null;
  const who = isAdded ? `the new skill \`${to}\`` : isEdited ? `the edit of \`${to}\`` : `\`${to}\``;
  // Where only the loser was edited, that is where to look.
  const whose = !isEdited && facts.isEdited(from) ? `\`${from}\`, which was edited` : `\`${from}\``;
  return {
    from,
    to,
    count: taken.length,
    of,
    isEdited,
    isAdded,
    sentence: `${who} took ${taken.length} of ${of} ${of === 1 ? "query" : "queries"} of ${whose}`,
    queries: taken.map(({ queryId, query, because }) => ({ queryId, query, because: because ?? "" })),
    isInconclusive: !isAboveNoise(taken.length, of, flipRate),
  };
}
