import type { RoutableSkill, RouteHit } from "../contract/routing.ts";
import { normalise } from "./normalise.ts";
import { maxTriggers } from "./routing-text.ts";

/** A phrase by which a skill is named, or kept away. */
export interface SkillPhrase extends Pick<RouteHit, "kind" | "phrase"> {
  /** As it is looked for. */
  normal: string;
}

/** How many of each list are looked for; longer phrases are shown to nobody, so none of them is looked for either. */
const maxEntries = 20;
const maxNotFor = 40;
const longestPhrase = 300;

/** The phrases of a skill, each once in its kind. */
export function skillPhrases(skill: RoutableSkill): SkillPhrase[] {
  const id = phrasesOf("id", [skill.id]);
  return [
    ...id,
    ...phrasesOf("name", [skill.name]).filter(({ normal }) => normal !== id[0]?.normal),
    ...phrasesOf("trigger", skill.triggers.slice(0, maxTriggers)),
    ...phrasesOf("tag", skill.tags.slice(0, maxEntries)),
    ...phrasesOf("intent", skill.intents.slice(0, maxEntries)),
    ...phrasesOf("not-for", skill.notFor.slice(0, maxNotFor)),
  ];
}

function phrasesOf(kind: RouteHit["kind"], texts: readonly string[]): SkillPhrase[] {
  const phrases = new Map<string, SkillPhrase>();
  for (const phrase of texts) {
    if (phrase.length > 2 * longestPhrase) continue;
    const normal = normalise(phrase);
    if (normal !== "" && normal.length <= longestPhrase && !phrases.has(normal))
      phrases.set(normal, { kind, phrase: phrase.trim(), normal });
  }
  return [...phrases.values()];
}
