import type { RoutableSkill, RouteHit } from "../contract/routing.ts";
import { Negation } from "./negation.ts";
import { PhraseIndex } from "./phrase-index.ts";
import { normalise, type TermExtractor } from "./query-text.ts";
import { maxTriggers } from "./routing-text.ts";
import { TermIndex } from "./term-index.ts";

/** How well a skill matches a request by its words. */
export interface LexicalScore {
  lex: number;
  phrase: number;
  text: number;
  hits: RouteHit[];
  /** The weightiest first. */
  terms: string[];
  /** The sum of the weights of the terms. */
  weight: number;
}

/** The score without any word in common. */
export function noWords(): LexicalScore {
  return { lex: 0, phrase: 0, text: 0, hits: [], terms: [], weight: 0 };
}

/** What may differ from one request to the next. */
interface Scoring {
  changed?: ChangedText | undefined;
  /** Skills that cannot reach this `lex` may be left out. */
  least?: number;
  /** By their index: never left out if they have any word in common. */
  about?: readonly number[];
}

/** A skill that has another routing text for one request. */
export interface ChangedText {
  index: number;
  text: string;
}

/** Compares skills with requests by their words alone. */
export class LexicalIndex {
  readonly #phrases = new PhraseIndex<{ index: number; phrase: SkillPhrase }>();
  readonly #terms: TermIndex;
  readonly #count: number;

  /** `texts` are the routing texts of the skills, in their order. */
  constructor(skills: readonly RoutableSkill[], texts: readonly string[], extractTerms: TermExtractor) {
    this.#count = skills.length;
    this.#terms = new TermIndex(texts, extractTerms);
    for (const [index, skill] of skills.entries())
      for (const phrase of skillPhrases(skill)) this.#phrases.add(phrase.normal, { index, phrase });
  }

  /** The skills that have any word in common with a request, by their index. */
  score(query: string, { changed, least = 0, about = [] }: Scoring = {}): Map<number, LexicalScore> {
    const scores = new Map<number, LexicalScore>();
    const scoreAt = (index: number): LexicalScore => {
      const known = scores.get(index);
      if (known !== undefined) return known;
      const score = noWords();
      scores.set(index, score);
      return score;
    };
    for (const { index, hit } of this.#hits(normalise(query))) scoreAt(index).hits.push(hit);
    const weighed = this.#terms.weigh(query, changed);
    const weights = new Float64Array(this.#count);
    for (const { weight, holders } of weighed)
      for (const index of holders) weights[index] = (weights[index] as number) + weight;
    // There may be thousands that share a common word: only those that matter get an object.
    const enough = leastWeight(least);
    const matters = new Uint8Array(this.#count);
    for (const { holders } of weighed)
      for (const index of holders) if ((weights[index] as number) >= enough) matters[index] = 1;
    for (const index of [...about, ...scores.keys()]) matters[index] = 1;
    for (const { term, holders } of weighed)
      for (const index of holders) if (matters[index] === 1) scoreAt(index).terms.push(term);
    for (const [index, score] of scores) {
      score.weight = weights[index] as number;
      addUp(score);
    }
    return scores;
  }

  *#hits(message: string): Iterable<{ index: number; hit: RouteHit }> {
    const found = this.#phrases.find(message);
    if (found.size === 0) return;
    const negation = new Negation(message);
    for (const { owners, positions } of found.values()) {
      const negated = positions.every((position) => negation.covers(position));
      for (const { index, phrase } of owners)
        yield { index, hit: { kind: phrase.kind, phrase: phrase.phrase, negated } };
    }
  }
}

const points: Readonly<Record<RouteHit["kind"], number>> = {
  id: 1.2,
  name: 1,
  trigger: 0.45,
  tag: 0.18,
  intent: 0.18,
  "not-for": 0,
};
const maxTriggerHits = 6;
const kindOrder = Object.keys(points);

function addUp(score: LexicalScore): void {
  score.phrase = Math.min(1, sumPoints(score.hits) / 2.5);
  score.text = 1 - Math.exp(-score.weight / 10);
  score.lex = 1 - (1 - score.phrase) * (1 - 0.6 * score.text);
  if (score.hits.length > 1) score.hits.sort(inOrder);
}

/** The weight of terms below which `lex` is below so much where no phrase is hit; a little less, for scores are rounded. */
function leastWeight(lex: number): number {
  return lex >= 0.6 ? Number.POSITIVE_INFINITY : -10 * Math.log(1 - lex / 0.6) - 0.001;
}

function sumPoints(hits: readonly RouteHit[]): number {
  let sum = 0;
  let triggers = 0;
  for (const { kind, negated } of hits) {
    if (negated || (kind === "trigger" && ++triggers > maxTriggerHits)) continue;
    sum += points[kind];
  }
  return sum;
}

/** By kind, then as phrases sort: their order in a request means nothing. */
function inOrder(a: RouteHit, b: RouteHit): number {
  return kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || (a.phrase < b.phrase ? -1 : 1);
}

/** A phrase that selects a skill, or excludes it. */
interface SkillPhrase extends Pick<RouteHit, "kind" | "phrase"> {
  /** The normalised form that is searched for. */
  normal: string;
}

/** How many phrases of each list are searched for; overlong phrases are never shown, so they are not searched for either. */
const maxEntries = 20;
const maxNotFor = 40;
const longestPhrase = 300;

/** The phrases of a skill, each once in its kind. */
function skillPhrases(skill: RoutableSkill): SkillPhrase[] {
  const id = toPhrases("id", [skill.id]);
  return [
    ...id,
    ...toPhrases("name", [skill.name]).filter(({ normal }) => normal !== id[0]?.normal),
    ...toPhrases("trigger", skill.triggers.slice(0, maxTriggers)),
    ...toPhrases("tag", skill.tags.slice(0, maxEntries)),
    ...toPhrases("intent", skill.intents.slice(0, maxEntries)),
    ...toPhrases("not-for", skill.notFor.slice(0, maxNotFor)),
  ];
}

function toPhrases(kind: RouteHit["kind"], texts: readonly string[]): SkillPhrase[] {
  const phrases = new Map<string, SkillPhrase>();
  for (const phrase of texts) {
    if (phrase.length > 2 * longestPhrase) continue;
    const normal = normalise(phrase);
    if (normal !== "" && normal.length <= longestPhrase && !phrases.has(normal))
      phrases.set(normal, { kind, phrase: phrase.trim(), normal });
  }
  return [...phrases.values()];
}
