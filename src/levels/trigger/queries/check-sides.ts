import type { Card } from "../../../contract/card.ts";
import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { TriggerQuery } from "../../../contract/triggering.ts";
import { contentTerms } from "../../../shared/text/content-terms.ts";
import type { EvalFile } from "./read-eval-file.ts";

const minPerSide = 8;
const maxUnequal = 3;

/** What can be wrong with the two sides as a whole: nothing there, too little, too unequal, too easy. */
export function checkSides(
  queries: readonly TriggerQuery[],
  { card, evalFile }: { card: Card; evalFile: EvalFile },
  diagnostics: Diagnostics,
): void {
  const place = evalFile.placeOf(["triggering"]);
  if (queries.length === 0) {
    diagnostics.add("TRG10", place, "both lists are empty; the trigger suite will be skipped");
    return;
  }
  const negatives = queries.filter(({ side }) => side === "should_not_match");
  const [n, m] = [queries.length - negatives.length, negatives.length];
  const hint = whatIsMissing(n, m);
  if (hint !== null) diagnostics.add("TRG12", place, `${n} positive, ${m} negative`, { hint });
  if (m > 0 && !negatives.some(nearMissOf(card)))
    diagnostics.add(
      "TRG13",
      evalFile.placeOf(["triggering", "should_not_match"]),
      "no negative shares a term with the card",
    );
}

function whatIsMissing(positive: number, negative: number): string | null {
  const few = Math.min(positive, negative);
  if (few === 0)
    return `add ${positive === 0 ? "should_match" : "should_not_match"}, at least ${minPerSide} requests`;
  if (few < minPerSide) return `write at least ${minPerSide} on each side`;
  return Math.max(positive, negative) > maxUnequal * few ? "add to the smaller side" : null;
}

/** A request that is about the same things and yet is not for this skill; nothing can be near a card without text. */
function nearMissOf({ description, triggers, notFor }: Card): (query: TriggerQuery) => boolean {
  const terms = contentTerms([description, ...triggers, ...notFor].join("\n"));
  return ({ text }) => terms.size === 0 || [...contentTerms(text)].some((term) => terms.has(term));
}
