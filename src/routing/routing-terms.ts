import type { RoutableSkill, RoutingSettings } from "../contract/routing.ts";
import { roundScore } from "./likeness.ts";
import { termsBy } from "./query-text.ts";
import { routingText } from "./routing-text.ts";
import { termWeight } from "./term-index.ts";

/** Terms with their weights. */
export type TermWeights = ReadonlyMap<string, number>;

/** Two skills that are found by the same words. */
interface TermOverlap {
  /** Ids, the smaller first. */
  skills: [string, string];
  /** The weight of the shared terms divided by the weight of all their terms: weighted Jaccard, 0 to 1. */
  likeness: number;
  /** The weightiest first. */
  shared: string[];
}

/** The terms that each skill is found by, by id, as they weigh among these skills. */
export function termWeights(
  skills: readonly RoutableSkill[],
  cjk: RoutingSettings["cjk"],
): Map<string, TermWeights> {
  const extractTerms = termsBy(cjk);
  const found = skills.map((skill) => ({ id: skill.id, terms: extractTerms(routingText(skill).written) }));
  const holders = new Map<string, number>();
  for (const { terms } of found) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1);
  const weigh = (term: string) => termWeight(skills.length, holders.get(term) as number);
  return new Map(
    found.map(({ id, terms }) => [id, new Map(Array.from(terms, (term) => [term, weigh(term)] as const))]),
  );
}

/** Pairs of skills that have much in common: the most alike of them, and how many there are. */
interface TermOverlaps {
  pairs: TermOverlap[];
  count: number;
}

/** Pairs of skills that have at least this much in common, the most alike first; at most so many, for a family of a thousand has half a million. */
export function termOverlaps(
  weights: ReadonlyMap<string, TermWeights>,
  { least, most }: { least: number; most: number },
): TermOverlaps {
  const skills = [...weights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, terms]) => ({ id, terms }));
  const totals = skills.map(({ terms }) => [...terms.values()].reduce((sum, weight) => sum + weight, 0));
  const earlier = new Map<string, number[]>();
  const alike: { first: number; second: number; likeness: number }[] = [];
  for (const [second, { terms }] of skills.entries()) {
    for (const [first, weight] of sharedWeights(terms, earlier)) {
      const together = (totals[second] as number) + (totals[first] as number) - weight;
      const likeness = roundScore(weight / together);
      if (likeness >= least) alike.push({ first, second, likeness });
    }
    for (const term of terms.keys()) addTo(earlier, term, second);
  }
  alike.sort((a, b) => b.likeness - a.likeness || a.first - b.first || a.second - b.second);
  const pairs = alike.slice(0, most).map(({ first, second, likeness }): TermOverlap => {
    const [one, other] = [skills[first], skills[second]] as [Skill, Skill];
    return { skills: [one.id, other.id], likeness, shared: sharedTerms(other.terms, one.terms) };
  });
  return { pairs, count: alike.length };
}

interface Skill {
  id: string;
  terms: TermWeights;
}

/** What a skill shares with each of those before it that have any of its terms. */
function sharedWeights(
  terms: TermWeights,
  earlier: ReadonlyMap<string, readonly number[]>,
): Map<number, number> {
  const shared = new Map<number, number>();
  for (const [term, weight] of terms)
    for (const before of earlier.get(term) ?? []) shared.set(before, (shared.get(before) ?? 0) + weight);
  return shared;
}

function sharedTerms(a: TermWeights, b: TermWeights): string[] {
  const shared = [...a].filter(([term]) => b.has(term));
  return shared.sort(([s, v], [t, w]) => w - v || (s < t ? -1 : 1)).map(([term]) => term);
}

function addTo(lists: Map<string, number[]>, key: string, value: number): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
