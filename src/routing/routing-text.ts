import { hash } from "node:crypto";
import type { RoutableSkill, RouteRequest } from "../contract/routing.ts";
import { truncationTag } from "../shared/text/visible-text.ts";
import { normalise } from "./query-text.ts";

/** The text a skill is found by. Never its prompt or its body. */
export interface RoutingText {
  /** As it is embedded, with a tag where it was cut. */
  text: string;
  /** The part that the skill's author wrote. */
  written: string;
}

/** What a skill is found by; an agent skill by its name and its card alone, because that is what an agent sees. */
export function routingText(skill: RoutableSkill, without?: string): RoutingText {
  const { id, group, description, tags, intents, outputSchema, styleHints } = skill;
  const name = skill.name === id ? "" : skill.name;
  const triggers = skill.triggers.slice(0, maxTriggers);
  const parts =
    skill.kind === "agent-skill"
      ? [id, name, description, ...triggers]
      : [
          ...[id, name, group ?? "", description, ...tags, ...intents, ...triggers],
          ...usableExamples(skill, without),
          takeChars(outputSchema ?? "", longestHint),
          takeChars(styleHints ?? "", longestHint),
        ];
  return cut(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n"),
  );
}

/** The examples of a skill, without one that equals the request. */
function usableExamples({ examples }: RoutableSkill, without: string | undefined): string[] {
  const listed = examples.slice(0, maxExamples);
  if (without === undefined) return listed;
  const left = normalise(without);
  return listed.filter((example) => normalise(example) !== left);
}

export const maxTriggers = 20;
const maxExamples = 6;
const longestHint = 200;
const longestText = 2000;

function cut(text: string): RoutingText {
  if (takeChars(text, longestText) === text) return { text, written: text };
  const written = takeChars(text, longestText - truncationTag.length);
  return { text: written + truncationTag, written };
}

/** The first so many characters; a character is never divided. */
export function takeChars(text: string, count: number): string {
  if (text.length <= count) return text;
  // No character takes more than two code units, so the rest of a huge text need not be read.
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}

const longestMessage = 4000;
const shortMessage = 24;
const longestDocumentName = 120;
const maxTurns = 3;
const longestTurn = 80;

/** What is embedded of a request: the message, and what helps to understand one that says little. */
export function vectorQuery({ query, documentName = "", recentTurns = [] }: RouteRequest): string {
  const message = query.trim();
  const isShort = [...message.slice(0, 2 * shortMessage)].length < shortMessage;
  const turns = isShort
    ? recentTurns.slice(-maxTurns).map((turn) => takeChars(turn.trim(), longestTurn))
    : [];
  return [takeChars(message, longestMessage), takeChars(documentName.trim(), longestDocumentName), ...turns]
    .filter((part) => part !== "")
    .join("\n");
}

/** The version of the text format; a new version changes the digests, so that earlier vectors are not reused. */
const textVersion = "text/1";

/** The cache key of the vector of a text. */
export function textDigest(text: string): string {
  return hash("sha256", `${textVersion}\n${text}`, "hex");
}

/** One digest for many texts, in whatever order they come. */
export function digestOfTexts(texts: readonly string[]): string {
  return hash("sha256", texts.map(textDigest).sort().join("\n"), "hex");
}
