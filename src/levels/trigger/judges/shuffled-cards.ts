import { hash } from "node:crypto";
import type { JudgedSkill } from "../../../contract/judge.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import { seededRandom } from "../../../shared/statistics/seeded-random.ts";

/** The cards in the order in which one repetition of one request shows them: by the seed alone, the same on every machine. */
export function shuffledCards(
  skills: readonly JudgedSkill[],
  { seed, query, repeat }: { seed: number; query: string; repeat: number },
): JudgedSkill[] {
  // From one order, whatever the folders were listed in.
  const cards = skills.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const digest = hash("sha256", canonicalJson([seed, query, repeat]), "hex");
  const random = seededRandom(Number.parseInt(digest.slice(0, 13), 16)); // 52 bits: a whole number that is exact
  for (let place = cards.length - 1; place > 0; place--) {
    const other = random.below(place + 1);
    [cards[place], cards[other]] = [cards[other] as JudgedSkill, cards[place] as JudgedSkill];
  }
  return cards;
}
