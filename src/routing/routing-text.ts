import type { RoutableSkill } from "../contract/routing.ts";
import { truncationTag } from "../shared/text/truncation-tag.ts";
import { normalise } from "./normalise.ts";

/** The text a skill is found by. Never its prompt or its body. */
export interface RoutingText {
  /** As it is embedded, with a mark where it was cut. */
  text: string;
  /** What of it was written by the skill's author. */
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
          ...examplesOf(skill, without),
          firstOf(outputSchema ?? "", longestHint),
          firstOf(styleHints ?? "", longestHint),
        ];
  return cut(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n"),
  );
}

/** The text of a skill does without an example that is the request itself. */
function examplesOf({ examples }: RoutableSkill, without: string | undefined): string[] {
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
  if (firstOf(text, longestText) === text) return { text, written: text };
  const written = firstOf(text, longestText - truncationTag.length);
  return { text: written + truncationTag, written };
}

/** The first so many characters; a character is never divided. */
export function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  // No character takes more than two places, so the rest of a huge text is not even looked at.
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}
