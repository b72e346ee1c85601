import { readNetworkEntry } from "../../contract/network-entry.ts";
import { flagName, type OptionRow } from "../../contract/option-table.ts";
import { isoTime } from "../../shared/async/clock.ts";
import { didYouMean, spacesHint } from "../../shared/text/nearest.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";

/** Reads a value as the row of its option says; null for a switch, which has none. */
export function valueParser(row: OptionRow): ((text: string, before: unknown) => unknown) | null {
  const { type, choices = [], min = Number.NEGATIVE_INFINITY, max, parse = parseText } = row;
  const flag = flagName(row);
  switch (type) {
    case "text":
    case "optional-text":
      return (text) => parse(text, flag);
    case "texts":
      return listParser((text) => parse(text, flag));
    case "hosts":
      return listParser((text) => parseHost(text, flag));
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

/** Text that may not be empty: a path, a name, an id. A flag instead means that the value was forgotten. */
export function parseText(text: string, flag: string): string {
  if (text.trim() === "") throw new UserError("usage", `${flag} is empty`);
  if (/^--?[a-z]/i.test(text))
    throw new UserError("usage", `${flag} needs a value, but ${shorten(text, 60)} looks like an option`, {
      hint: `write ./${shorten(text, 60)} if it is a path`,
    });
  return text;
}

/** Free text: it may be empty or begin like an option. */
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
  return listParser((text) => {
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

/** Turns a parser of one value into the parser of an option that takes several and may repeat. */
function listParser<Item>(parse: (text: string) => Item): (text: string, before: unknown) => Item[] {
  return (text, before) => [...(Array.isArray(before) ? (before as Item[]) : []), parse(text)];
}

/** A whole number in range, complete and finite, or exit 2: `4x`, `1.5`, `-1` and `1e9` are none. */
export function parseCount(text: string, flag: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw refusal(flag, `a whole number ${range}`, text);
}

/** A number from 0 to 1, or exit 2: `80%`, `NaN` and `1.5` are none; nor are 0 and 1, where the range is open. */
export function parseRate(text: string, flag: string, isOpen = false): number {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (isOpen ? value > 0 && value < 1 : value >= 0 && value <= 1) return value;
  throw refusal(flag, isOpen ? "a number between 0 and 1" : "a number from 0 to 1", text);
}

/** Any finite number, or exit 2: `1_000`, `0x10`, `5 apples` and `Infinity` are none. */
function parseNumber(text: string, flag: string): number {
  const value = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw refusal(flag, "a number", text);
}

/** A finite number within a range, its ends included, or exit 2. */
function parseNumberIn(text: string, flag: string, min: number, max = Infinity): number {
  const value = parseNumber(text, flag);
  if (value >= min && value <= max) return value;
  throw refusal(
    flag,
    max === Infinity ? `a number of at least ${min}` : `a number from ${min} to ${max}`,
    text,
  );
}

function refusal(flag: string, wanted: string, text: string): UserError {
  return new UserError("usage", `${flag} takes ${wanted}, not ${JSON.stringify(shorten(text, 60))}`);
}

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A date or date and time of ISO 8601, in UTC unless it names its zone; or exit 2. Gives it back as files write times. */
export function parseDate(text: string, flag: string): string {
  const epochMs = parseEpoch(text);
  if (epochMs !== null) return isoTime(epochMs);
  throw new UserError(
    "usage",
    `${flag} takes a date such as 2026-03-01 or 2026-03-01T07:00Z, not ${JSON.stringify(shorten(text, 60))}`,
  );
}

function parseEpoch(text: string): number | null {
  const found = pattern.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ms = Number((found[7] ?? "").padEnd(3, "0"));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would take the year 26 for 1926
  date.setUTCHours(hour, minute, second, ms);
  // A date that does not exist, such as 2026-02-30, rolls over into another one.
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  const offset = offsetMinutes(found[8] ?? "Z");
  return isReal && offset !== null ? date.getTime() - offset * 60_000 : null;
}

function offsetMinutes(zone: string): number | null {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
