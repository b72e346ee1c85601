import type { Exclusion, RoutableSkill, RoutedSkill, RouteHit } from "../contract/routing.ts";
import { type LexicalScore, noWords } from "./lexical-index.ts";
import { aboveFloor, roundScore } from "./likeness.ts";
import { byRank } from "./select-skills.ts";
import type { VectorMatch } from "./vector-search.ts";

/** Scores each skill by words and vectors, before selection. Vectors add and reorder: what words alone accept is never lost. */
export function scoreSkills(
  skills: readonly RoutableSkill[],
  words: ReadonlyMap<number, LexicalScore>,
  match: VectorMatch,
  k: number,
): RoutedSkill[] {
  const scored = skills.map((skill, index) => byWords(skill, words.get(index) ?? noWords()));
  if (!match.ok) return scored;
  for (const [index, skill] of scored.entries()) skill.cos = roundScore(match.cosines[index] as number);
  for (const index of candidates(scored, k)) {
    const skill = scored[index] as RoutedSkill;
    const lex = words.get(index)?.lex ?? 0;
    const emb = aboveFloor(match.cosines[index] as number, match.floor);
    skill.emb = roundScore(emb);
    skill.score = roundScore(Math.max(lex, 0.72 * emb + 0.28 * lex));
  }
  return scored;
}

/** A skill without any score. */
export function unscored(skill: RoutableSkill, excluded: Exclusion | null): RoutedSkill {
  const routed = byWords(skill, noWords());
  routed.excluded = excluded;
  return routed;
}

/** One skill by words alone. */
export function byWords({ id, priority, group }: RoutableSkill, words: LexicalScore): RoutedSkill {
  const lex = roundScore(words.lex);
  return {
    id,
    rank: null,
    selected: false,
    score: lex,
    lex,
    emb: null,
    cos: null,
    phrase: roundScore(words.phrase),
    text: roundScore(words.text),
    hits: words.hits,
    terms: words.terms,
    priority,
    group,
    excluded: refusalIn(words.hits),
  };
}

/** Whether a request rules a skill out: names it only in a negation, or asks for what it is not for. */
function refusalIn(hits: readonly RouteHit[]): Exclusion | null {
  if (hits.length === 0) return null;
  const named = hits.filter(({ kind }) => kind === "id" || kind === "name" || kind === "trigger");
  if (named.length > 0 && named.every(({ negated }) => negated)) return "negated";
  return hits.some(({ kind, negated }) => kind === "not-for" && !negated) ? "not-for" : null;
}

/** Those nearest by meaning, and all that share a word. */
function candidates(scored: readonly RoutedSkill[], k: number): Set<number> {
  const cosAt = (index: number) => scored[index]?.cos as number;
  const nearest = [...scored.keys()]
    .sort((a, b) => cosAt(b) - cosAt(a) || byRank(scored[a] as RoutedSkill, scored[b] as RoutedSkill))
    .slice(0, Math.max(12, 6 * k));
  const sharing = [...scored.keys()].filter((index) => (scored[index] as RoutedSkill).lex > 0);
  return new Set([...nearest, ...sharing]);
}
