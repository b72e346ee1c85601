import type { RoutingSettings } from "../contract/routing.ts";
import { contentTerms } from "../shared/text/content-terms.ts";

/**
 * A text as phrases are looked for in it: one form of each character, lower case, one blank where there were several. Ends of
 * lines stay, because a clause ends there.
 */
export function normalise(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\r\n\u2028\u2029]+/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .trim();
}

/** Finds the terms of a text. */
export type TermExtractor = (text: string) => Set<string>;

/**
 * How texts are divided into terms. A segmenter knows words where others see pairs of characters, but its dictionary belongs
 * to the runtime: two machines may divide differently, so it is opt-in.
 */
export function termsBy(cjk: RoutingSettings["cjk"]): TermExtractor {
  if (cjk === "bigrams") return (text) => contentTerms(text);
  const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
  const wordsIn = (run: string) => Array.from(segmenter.segment(run), ({ segment }) => segment);
  return (text) => contentTerms(text, wordsIn);
}
