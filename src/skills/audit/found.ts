import type { Severity } from "../../contract/severity.ts";
import { commandsOf, lineAt, type Passage, paragraphsOf } from "./passages.ts";
import type { AuditedFile, Match } from "./rule.ts";
import { type Stance, stanceAt, stanceOfCommand } from "./stance.ts";

/** What to look for, and how bad it is where that differs from the rule. */
export interface Sign {
  /** Global, and every repetition bounded: a file must not be able to make a search slow. */
  pattern: RegExp;
  severity?: Severity;
  message?: string;
}

export interface Search {
  /** In lower case: words without one of which no sign can stand. One quick look spares a passage all the slow ones. */
  hint: RegExp;
  signs: readonly Sign[];
}

export interface Sighting {
  passage: Passage;
  index: number;
  words: string;
  sign: Sign;
}

/** What the place of a sighting makes of it; null that it is nothing. */
type Weigh = (sighting: Sighting) => Partial<Match> | null;

/** What a file asks of its reader in these words: not what it warns of; at low what it shows in a section about attacks. */
export function wordingMatches(
  file: AuditedFile,
  search: Search | readonly Sign[],
  weigh?: Weigh,
): Iterable<Match> {
  return weighed(sightings(paragraphsOf(file), search), stanceAt, weigh);
}

/** What a file does, or has people do, with these commands. */
export function commandMatches(
  file: AuditedFile,
  search: Search | readonly Sign[],
  weigh?: Weigh,
): Iterable<Match> {
  return weighed(sightings(commandsOf(file), search), stanceOfCommand, weigh);
}

function* weighed(
  found: Iterable<Sighting>,
  stanceIn: (passage: Passage, index: number) => Stance,
  weigh: Weigh = () => ({}),
): Generator<Match> {
  for (const sighting of found) {
    const change = weigh(sighting);
    const stance = change === null ? "forbidden" : stanceIn(sighting.passage, sighting.index);
    if (stance === "forbidden") continue;
    yield matchOf(sighting, stance === "example" ? { ...change, severity: "low" } : (change ?? {}));
  }
}

/** Every place in these passages where one of the signs stands. */
export function* sightings(
  passages: Iterable<Passage>,
  search: Search | readonly Sign[],
): Generator<Sighting> {
  const { hint, signs } = "hint" in search ? search : { hint: anything, signs: search };
  for (const passage of passages) {
    if (!hint.test(passage.lower)) continue;
    for (const sign of signs)
      for (const match of passage.text.matchAll(sign.pattern))
        yield { passage, index: match.index, words: match[0], sign };
  }
}

const anything = /(?:)/;

/** A sighting as the engine wants it: the first of its lines, and those lines as evidence. */
export function matchOf({ passage, index, words, sign }: Sighting, change: Partial<Match> = {}): Match {
  const line = lineAt(passage, index);
  const last = lineAt(passage, index + words.length - 1);
  const whole = passage.lines
    .slice(passage.lines.indexOf(line), passage.lines.indexOf(last) + 1)
    .map(({ text }) => text.trim())
    .join(" ");
  const part = passage.text.slice(Math.max(0, index - wordsAround), index + words.length + wordsAround);
  return {
    file: passage.file.path,
    line: line.number,
    evidence: whole.length <= longestEvidence ? whole : part.trim(),
    ...(sign.severity !== undefined && { severity: sign.severity }),
    ...(sign.message !== undefined && { message: sign.message }),
    ...change,
  };
}

const longestEvidence = 200;
const wordsAround = 40;
