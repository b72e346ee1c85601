import type { DescribedSkill } from "../../../contract/skill.ts";
import type { TriggerQuery } from "../../../contract/triggering.ts";
import { foldQuery } from "./fold-query.ts";

export interface Leak {
  query: TriggerQuery;
  /** The trigger or example it contains. */
  phrase: string;
}

/** Anything longer in a list is not looked at: nobody is shown it. */
const maxPhrases = 40;
const minSpaced = 12;
const minUnspaced = 6;

/** Positive queries that contain a trigger or a routing example: they test that the card was copied, not that it is good. */
export function findLeaks(
  queries: readonly TriggerQuery[],
  { triggers, examples }: Pick<DescribedSkill, "triggers" | "examples">,
): Leak[] {
  const phrases = [...triggers.slice(0, maxPhrases), ...examples.slice(0, maxPhrases)]
    .map((phrase) => ({ phrase, folded: foldQuery(phrase) }))
    .filter(({ folded }) => isLong(folded));
  return queries
    .filter(({ side }) => side === "should_match")
    .flatMap((query) => {
      const text = foldQuery(query.text);
      const found = phrases.find(({ folded }) => text.includes(folded));
      return found === undefined ? [] : [{ query, phrase: found.phrase }];
    });
}

/** A short phrase stands in many requests by chance; a character of Chinese or Japanese says more than a letter. */
function isLong(phrase: string): boolean {
  const unspaced = phrase.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return unspaced >= minUnspaced || [...phrase].length - unspaced >= minSpaced;
}
