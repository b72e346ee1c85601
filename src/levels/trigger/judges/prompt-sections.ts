import type { Card } from "../../../contract/card.ts";

/** A card in words. */
export function cardSections({ description, triggers, notFor }: Card): string {
  return [
    `DESCRIPTION: ${description === "" ? none : indented(description)}`,
    "POSITIVE TRIGGERS:",
    ...entries(triggers),
    "NEGATIVE TRIGGERS (do NOT use for):",
    ...entries(notFor),
  ].join("\n");
}

/** The request in words. */
export function querySection(query: string): string {
  return `USER QUERY: ${indented(query)}`;
}

/** Text between lines that hold the mark. */
export function marked(name: "card" | "query", mark: string, text: string): string {
  return `[[${name} ${mark}]]\n${text}\n[[end ${mark}]]`;
}

/** Every text of a card, for whoever looks for a word in it. */
export function textsOf({ description, triggers, notFor }: Card): string[] {
  return [description, ...triggers, ...notFor];
}

const none = "(none)";

function entries(list: readonly string[]): string[] {
  return (list.length === 0 ? [none] : list).map((entry) => `- ${indented(entry)}`);
}

/** Further lines of a text are indented: what begins in the first column is ours, so no line of a text passes for a section. */
function indented(text: string): string {
  return text.replace(lineBreaks, "\n  ");
}

const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
