/** The indexes of two texts in a list that are nearly the same. */
interface AlikePair {
  first: number;
  second: number;
  /** The share of neighbouring characters they have in common: Jaccard of their bigrams. */
  likeness: number;
}

export interface AlikeTexts {
  pairs: AlikePair[];
  /** False where there was too much to compare. */
  isWhole: boolean;
}

/** Enough to compare thousands of requests, without a noticeable delay. */
const stepBudget = 20_000_000;

/**
 * Finds texts that share at least nine tenths of their bigrams, each reported once. Two such sets must share one of the few
 * rarest members of each, so only texts that do are compared, which avoids quadratic time.
 */
export function findAlike(texts: readonly string[], budget: number = stepBudget): AlikeTexts {
  const sets = rareFirst(texts);
  const compared = new ComparedSets(sets, budget);
  const smallFirst = [...sets.keys()].sort((a, b) => setSize(sets, a) - setSize(sets, b) || a - b);
  const pairs = smallFirst.flatMap((index) => compared.add(index) ?? []);
  return {
    pairs: pairs.sort((a, b) => a.second - b.second || a.first - b.first),
    isWhole: compared.stepsLeft > 0,
  };
}

/** Sets seen so far, findable by their rarest members. */
class ComparedSets {
  stepsLeft: number;
  readonly #sets: readonly number[][];
  readonly #withMember = new Map<number, number[]>();

  constructor(sets: readonly number[][], budget: number) {
    this.#sets = sets;
    this.stepsLeft = budget;
  }

  /** Adds a set that is at least as large as those before it, and returns one that is alike. */
  add(index: number): AlikePair | null {
    const members = this.#sets[index] as number[];
    const rarest = members.slice(0, members.length - leastShared(members.length) + 1);
    const pair = this.#firstAlike(index, members, rarest);
    for (const member of rarest) {
      const known = this.#withMember.get(member);
      if (known === undefined) this.#withMember.set(member, [index]);
      else known.push(index);
    }
    return pair;
  }

  #firstAlike(index: number, members: readonly number[], rarest: readonly number[]): AlikePair | null {
    const seen = new Set<number>();
    for (const member of rarest) {
      for (const other of this.#withMember.get(member) ?? []) {
        if (--this.stepsLeft <= 0) return null;
        if (seen.has(other) || setSize(this.#sets, other) < leastShared(members.length)) continue;
        seen.add(other);
        this.stepsLeft -= members.length;
        const likeness = jaccard(members, this.#sets[other] as number[]);
        if (likeness !== null)
          return { first: Math.min(index, other), second: Math.max(index, other), likeness };
      }
    }
    return null;
  }
}

function setSize(sets: readonly number[][], index: number): number {
  return sets[index]?.length ?? 0;
}

/** How many members a set must share with another to be alike. */
function leastShared(size: number): number {
  return Math.ceil((9 * size) / 10);
}

/** The bigrams of each text as numbers, the rarest of all texts first; a lower number is rarer. */
function rareFirst(texts: readonly string[]): number[][] {
  const bigrams = texts.map(textBigrams);
  const counts = new Map<string, number>();
  for (const set of bigrams) for (const bigram of set) counts.set(bigram, (counts.get(bigram) ?? 0) + 1);
  const order = [...counts].sort(([a, countA], [b, countB]) => countA - countB || (a < b ? -1 : 1));
  const ranks = new Map(order.map(([bigram], rank) => [bigram, rank]));
  return bigrams.map((set) => [...set].map((bigram) => ranks.get(bigram) as number).sort((a, b) => a - b));
}

function textBigrams(text: string): Set<string> {
  const characters = [...text];
  if (characters.length < 2) return new Set(characters);
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
}

/** The likeness of two sorted sets; null below nine tenths. */
function jaccard(a: readonly number[], b: readonly number[]): number | null {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference === 0) shared++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  const together = a.length + b.length - shared;
  return 10 * shared >= 9 * together ? shared / together : null;
}
