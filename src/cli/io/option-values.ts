import { readNetworkEntry } from "../../contract/network-entry.ts";
import { flagName, type OptionRow } from "../../contract/option-table.ts";
import { spacesHint } from "../../shared/text/comma-list.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { parseCount, parseNumberIn, parseRate } from "./strict-numbers.ts";

/** Reads a value as the row of its option says; null for a switch, which has none. */
export function valueParser(row: OptionRow): ((text: string, before: unknown) => unknown) | null {
  const { type, choices = [], min = Number.NEGATIVE_INFINITY, max, parse = parseText } = row;
  const flag = flagName(row);
  switch (type) {
    case "text":
    case "optional-text":
      return (text) => parse(text, flag);
    case "texts":
      return listOf((text) => parse(text, flag));
    case "hosts":
      return listOf((text) => parseHost(text, flag));
    case "count":
      return (text) => parseCount(text, flag, min, max);
    case "rate":
      return (text) => parseRate(text, flag, row.isOpenRange);
    case "number":
      return (text) => parseNumberIn(text, flag, min, max);
    case "choice":
      return (text) => parseChoice(text, flag, choices);
    case "choices":
      return parseChoices(flag, choices);
    case "switch":
      return null;
    default:
      return type satisfies never;
  }
}

/** Text that may not be empty: a path, a name, an id. A flag in its place means that the value was forgotten. */
export function parseText(text: string, flag: string): string {
  if (text.trim() === "") throw new UserError("usage", `${flag} is empty`);
  if (/^--?[a-z]/i.test(text))
    throw new UserError("usage", `${flag} needs a value, but ${shorten(text, 60)} looks like an option`, {
      hint: `write ./${shorten(text, 60)} if it is a path`,
    });
  return text;
}

/** Text that means something to somebody else: it may be empty, and begin like an option. */
export function anyText(text: string): string {
  return text;
}

/** One of a few words; a wrong one is answered with the nearest right one. */
function parseChoice<Choice extends string>(text: string, flag: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UserError("usage", `invalid value for ${flag}: ${JSON.stringify(shorten(text, 60))}`, {
    hint: didYouMean(text, choices),
  });
}

/** The same for an option that takes several of the words and may repeat. */
function parseChoices<Choice extends string>(flag: string, choices: readonly Choice[]) {
  return listOf((text) => {
    const hint = spacesHint(text, (part) => choices.some((choice) => choice === part));
    if (hint !== undefined)
      throw new UserError("usage", `${flag} takes values separated by spaces, not ${JSON.stringify(text)}`, {
        hint,
      });
    return parseChoice(text, flag, choices);
  });
}

/** A host that is opened to skills: `host[:port]`, kept as it was typed. */
function parseHost(text: string, flag: string): string {
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
function listOf<Item>(parse: (text: string) => Item): (text: string, before: unknown) => Item[] {
  return (text, before) => [...(Array.isArray(before) ? (before as Item[]) : []), parse(text)];
}
