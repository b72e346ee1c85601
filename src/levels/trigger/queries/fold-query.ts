/** A text as queries are compared: in one spelling of each character, lower case, single spaces. */
export function foldQuery(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
