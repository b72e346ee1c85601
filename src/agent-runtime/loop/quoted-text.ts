import { shorten } from "../../shared/text/visible-text.ts";

/** Untrusted text in a line of a prompt: JSON-quoted, on one line, without control characters and without `<` and `>`. */
export function quotedText(text: string, longest: number): string {
  return JSON.stringify(plainLine(text, longest)).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
}

/** The same without quotes, for where nothing but the end of the line ends it. */
export function plainLine(text: string, longest: number): string {
  return shorten(text.replace(lineBreaks, " ").replace(unseen, ""), longest);
}

/** They separate words, so a space replaces them. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
// Also what nobody sees and a model reads: tags, direction marks. Joiners stay, scripts and emoji are written with them.
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;
