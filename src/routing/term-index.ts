import type { TermsOf } from "./query-text.ts";

/** A term of a request with what it is worth. */
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
  readonly #termsOf: TermsOf;

  constructor(texts: readonly string[], termsOf: TermsOf) {
    this.#count = texts.length;
    this.#termsOf = termsOf;
    for (const [index, text] of texts.entries())
      for (const term of termsOf(text)) {
        const holders = this.#holders.get(term);
        if (holders === undefined) this.#holders.set(term, [index]);
        else holders.push(index);
      }
  }

  /** The terms of a request that some skill has, the weightiest first; `changed` has another text this once. */
  weigh(query: string, changed?: { index: number; text: string }): WeighedTerm[] {
    const changedTerms = changed && this.#termsOf(changed.text);
    const weighed: WeighedTerm[] = [];
    for (const term of this.#termsOf(query)) {
      const known = this.#holders.get(term) ?? [];
      const others = changed === undefined ? known : known.filter((index) => index !== changed.index);
      const holders = changed !== undefined && changedTerms?.has(term) ? [...others, changed.index] : others;
      if (holders.length > 0)
        weighed.push({ term, weight: termWeight(this.#count, holders.length), holders });
    }
    return weighed.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  }
}

/** What a term is worth that so many of so many skills have. The 50 keeps it meaningful in a catalog of one. */
export function termWeight(skills: number, holders: number): number {
  return Math.min(4, Math.log(1 + (50 + skills - holders + 0.5) / (holders + 0.5)));
}
