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
