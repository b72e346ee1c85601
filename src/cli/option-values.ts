import { spacesHint } from "../base/comma-list.ts";
import { didYouMean } from "../base/nearest.ts";
import { shorten } from "../base/visible-text.ts";
import { readNetworkEntry } from "../contract/network-entry.ts";
import { UserError } from "../contract/user-error.ts";

/** Text that may not be empty: a path, a name, an id. A flag in its place means that the value was forgotten. */
export function parseText(text: string, flag: string): string {
  if (text.trim() === "") throw new UserError("usage", `${flag} is empty`);
  if (/^--?[a-z]/i.test(text))
    throw new UserError(
      "usage",
      `${flag} needs a value, and ${shorten(text, 60)} looks like another option`,
      {
        hint: `write ./${shorten(text, 60)} if it is a path`,
      },
    );
  return text;
}

/** One of a few words; a wrong one is answered with the nearest right one. */
export function parseChoice<Choice extends string>(
  text: string,
  flag: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UserError("usage", `${flag} does not know ${JSON.stringify(shorten(text, 60))}`, {
    hint: didYouMean(text, choices),
  });
}

/** The same for an option that takes several of the words and may repeat. */
export function parseChoices<Choice extends string>(flag: string, choices: readonly Choice[]) {
  return listOf((text) => {
    const hint = spacesHint(text, (part) => choices.some((choice) => choice === part));
    if (hint !== undefined)
      throw new UserError("usage", `${flag} takes its values one by one, not ${JSON.stringify(text)}`, {
        hint,
      });
    return parseChoice(text, flag, choices);
  });
}

/** A host that is opened to skills: `host[:port]`, kept as it was typed. */
export function parseHost(text: string, flag: string): string {
  const entry = readNetworkEntry(parseText(text, flag));
  if (!("problem" in entry)) return text;
  throw new UserError("usage", `${flag}: ${JSON.stringify(shorten(text, 60))} ${entry.problem}`, {
    hint: spacesHint(text, (part) => !("problem" in readNetworkEntry(part))) ?? hostHint(flag),
  });
}

function hostHint(flag: string): string {
  return `write ${flag} api.example.org, or with one port ${flag} api.example.org:8443`;
}

/** Makes a parser of one value into the parser of an option that takes several and may repeat. */
export function listOf<Item>(parse: (text: string) => Item): (text: string, before: unknown) => Item[] {
  return (text, before) => [...(Array.isArray(before) ? (before as Item[]) : []), parse(text)];
}
