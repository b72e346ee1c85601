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
  const totals = Float64Array.from(skills, ({ terms }) => sum(terms.values()));
  const earlier = new Map<string, number[]>();
  const shared = new Float64Array(skills.length);
  const rests = new Float64Array(skills.length); // the weight of the terms that are not followed
  let alike: AlikePair[] = [];
  let count = 0;
  for (const [second, { terms }] of skills.entries()) {
    const telling = tellingTerms(terms, least * (totals[second] as number));
    const candidates: number[] = [];
    for (const [term, weight] of telling)
      for (const first of earlier.get(term) ?? []) {
        if (shared[first] === 0) candidates.push(first);
        shared[first] = (shared[first] as number) + weight;
      }
    const total = totals[second] as number;
    const rest = total - sum(telling.values());
    rests[second] = rest;
    for (const first of candidates) {
      const others = totals[first] as number;
      const possible = (shared[first] as number) + Math.max(rest, rests[first] as number);
      const atMost = Math.min(possible, total, others);
      shared[first] = 0;
      const all = total + others;
      if (atMost / (all - atMost) < least - roundingError) continue;
      const weight = sharedWeight(terms, (skills[first] as Skill).terms);
      const likeness = roundScore(weight / (all - weight));
      if (likeness < least) continue;
      count++;
      alike.push({ first, second, likeness });
    }
    if (alike.length >= 4 * most) alike = mostAlike(alike, most);
    for (const term of telling.keys()) addTo(earlier, term, second);
  }
  const pairs = mostAlike(alike, most).map(({ first, second, likeness }): TermOverlap => {
    const [one, other] = [skills[first], skills[second]] as [Skill, Skill];
    return { skills: [one.id, other.id], likeness, shared: sharedTerms(other.terms, one.terms) };
  });
  return { pairs, count };
}

interface Skill {
  id: string;
  terms: TermWeights;
}

/** By index, the smaller first. */
interface AlikePair {
  first: number;
  second: number;
  likeness: number;
}

function mostAlike(pairs: readonly AlikePair[], most: number): AlikePair[] {
  return pairs
    .toSorted((a, b) => b.likeness - a.likeness || a.first - b.first || a.second - b.second)
    .slice(0, most);
}

const roundingError = 1e-6;

/**
 * The terms of a skill without its commonest, which together weigh less than this. Two skills that are alike enough have more
 * than that in common, so they share one of these: words that all skills have need not be followed to all of them.
 */
function tellingTerms(terms: TermWeights, weight: number): TermWeights {
  const rarestFirst = [...terms].sort(([s, v], [t, w]) => w - v || (s < t ? -1 : 1));
  let left = weight * (1 - roundingError) - roundingError;
  while (rarestFirst.length > 0 && left > (rarestFirst.at(-1)?.[1] as number))
    left -= rarestFirst.pop()?.[1] as number;
  return new Map(rarestFirst);
}

function sharedWeight(a: TermWeights, b: TermWeights): number {
  let weight = 0;
  for (const [term, its] of a) if (b.has(term)) weight += its;
  return weight;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
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
