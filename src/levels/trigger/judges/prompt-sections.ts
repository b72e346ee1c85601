import { hash } from "node:crypto";
import type { Card } from "../../../contract/judge.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";

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

/**
 * The word that sets the sections of a prompt apart: hashed from what is asked, so that it is the same on every machine,
 * and hashed again while one of the texts holds it, so that no text can close its own section.
 */
export function promptMark(asked: Json, texts: readonly string[]): string {
  const lowered = texts.map((text) => text.toLowerCase());
  let digest = hash("sha256", canonicalJson(asked), "hex");
  while (lowered.some((text) => text.includes(digest.slice(0, markDigits))))
    digest = hash("sha256", digest, "hex");
  return digest.slice(0, markDigits);
}

const markDigits = 8;
