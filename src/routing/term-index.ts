import type { TermExtractor } from "./query-text.ts";

/** A term of a request with its weight. */
export interface WeighedTerm {
  term: string;
  weight: number;
  /** The skills that have it. */
  holders: readonly number[];
}

/** Finds skills by the terms of their routing texts. */
export class TermIndex {
  readonly #holders = new Map<string, number[]>();
  readonly #count: number;
  readonly #extractTerms: TermExtractor;

  constructor(texts: readonly string[], extractTerms: TermExtractor) {
    this.#count = texts.length;
    this.#extractTerms = extractTerms;
    for (const [index, text] of texts.entries())
      for (const term of extractTerms(text)) {
        const holders = this.#holders.get(term);
        if (holders === undefined) this.#holders.set(term, [index]);
        else holders.push(index);
      }
  }

  /** The terms of a request that some skill has, the weightiest first; `changed` has another text this once. */
  weigh(query: string, changed?: { index: number; text: string }): WeighedTerm[] {
    const changedTerms = changed && this.#extractTerms(changed.text);
    const weighed: WeighedTerm[] = [];
    for (const term of this.#extractTerms(query)) {
      const known = this.#holders.get(term) ?? [];
      const others = changed === undefined ? known : known.filter((index) => index !== changed.index);
      const holders = changed !== undefined && changedTerms?.has(term) ? [...others, changed.index] : others;
      if (holders.length > 0)
        weighed.push({ term, weight: termWeight(this.#count, holders.length), holders });
    }
    return weighed.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  }
}

/** The weight of a term by how many skills have it. The 50 keeps it meaningful in a catalog of one. */
export function termWeight(skills: number, holders: number): number {
  return Math.min(4, Math.log(1 + (50 + skills - holders + 0.5) / (holders + 0.5)));
}
