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

/** Text between lines that contain the tag. */
export function tagged(name: "card" | "query", tag: string, text: string): string {
  return `[[${name} ${tag}]]\n${text}\n[[end ${tag}]]`;
}

/** All texts of a card, to search in. */
export function cardTexts({ description, triggers, notFor }: Card): string[] {
  return [description, ...triggers, ...notFor];
}

const none = "(none)";

function entries(list: readonly string[]): string[] {
  return (list.length === 0 ? [none] : list).map((entry) => `- ${indented(entry)}`);
}

/** Indents further lines of a text, so that none can imitate a section, which begins in the first column. */
function indented(text: string): string {
  return text.replace(lineBreaks, "\n  ");
}

const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * The tag that delimits the sections of a prompt: a hash of the question, so that it is the same on every machine,
 * hashed again while one of the texts contains it, so that no text can close its own section.
 */
export function promptTag(question: Json, texts: readonly string[]): string {
  const lowered = texts.map((text) => text.toLowerCase());
  let digest = hash("sha256", canonicalJson(question), "hex");
  while (lowered.some((text) => text.includes(digest.slice(0, tagDigits))))
    digest = hash("sha256", digest, "hex");
  return digest.slice(0, tagDigits);
}

const tagDigits = 8;
