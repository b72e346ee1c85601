import type { RoutableSkill, RoutingSettings } from "../contract/routing.ts";
import { termsBy } from "./query-terms.ts";
import { roundScore } from "./round-score.ts";
import { routingText } from "./routing-text.ts";
import { termWeight } from "./term-index.ts";

/** Terms with what each is worth. */
export type TermWeights = ReadonlyMap<string, number>;

/** Two skills that are found by the same words. */
export interface TermOverlap {
  /** Ids, the smaller first. */
  skills: [string, string];
  /** The weight of the terms they share beside the weight of all they have: weighted Jaccard, 0 to 1. */
  likeness: number;
  /** The weightiest first. */
  shared: string[];
}

/** The terms that each skill is found by, by id, as they weigh among these skills. */
export function termWeights(
  skills: readonly RoutableSkill[],
  cjk: RoutingSettings["cjk"],
): Map<string, TermWeights> {
  const termsOf = termsBy(cjk);
  const found = skills.map((skill) => ({ id: skill.id, terms: termsOf(routingText(skill).written) }));
  const holders = new Map<string, number>();
  for (const { terms } of found) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1);
  const weightOf = (term: string) => termWeight(skills.length, holders.get(term) as number);
  return new Map(
    found.map(({ id, terms }) => [id, new Map(Array.from(terms, (term) => [term, weightOf(term)] as const))]),
  );
}

/** Pairs of skills that have at least this much in common, the most alike first. */
export function termOverlaps(
  weights: ReadonlyMap<string, TermWeights>,
  { least }: { least: number },
): TermOverlap[] {
  const skills = [...weights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, terms]) => ({ id, terms }));
  const totals = skills.map(({ terms }) => [...terms.values()].reduce((sum, weight) => sum + weight, 0));
  const earlier = new Map<string, number[]>();
  const overlaps: TermOverlap[] = [];
  for (const [at, { id, terms }] of skills.entries()) {
    for (const [before, weight] of sharedWeights(terms, earlier)) {
      const together = (totals[at] as number) + (totals[before] as number) - weight;
      const likeness = roundScore(weight / together);
      const other = skills[before] as (typeof skills)[number];
      if (likeness >= least)
        overlaps.push({ skills: [other.id, id], likeness, shared: sharedTerms(terms, other.terms) });
    }
    for (const term of terms.keys()) addTo(earlier, term, at);
  }
  return overlaps.sort((a, b) => b.likeness - a.likeness || inOrder(a.skills, b.skills));
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

function inOrder([a, b]: TermOverlap["skills"], [c, d]: TermOverlap["skills"]): number {
  return a < c || (a === c && b < d) ? -1 : 1;
}

function addTo(lists: Map<string, number[]>, key: string, value: number): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
