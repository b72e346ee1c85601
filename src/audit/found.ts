import type { Severity } from "../contract/severity.ts";
import { commandsOf, lineAt, paragraphsOf, type TextBlock } from "./blocks.ts";
import { commandPolarity, type Polarity, polarityAt } from "./polarity.ts";
import type { AuditedFile, Match } from "./rule.ts";

/** What to look for, and how bad it is where that differs from the rule. */
export interface Sign {
  /** Global, and every repetition bounded: a file must not be able to make a search slow. */
  pattern: RegExp;
  severity?: Severity;
  message?: string;
}

export interface Search {
  /** In lower case: words without one of which no sign can stand. One quick look spares a block all the slow ones. */
  hint: RegExp;
  signs: readonly Sign[];
}

export interface Sighting {
  block: TextBlock;
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
  return weighed(sightings(paragraphsOf(file), search), polarityAt, weigh);
}

/** What a file does, or has people do, with these commands. */
export function commandMatches(
  file: AuditedFile,
  search: Search | readonly Sign[],
  weigh?: Weigh,
): Iterable<Match> {
  return weighed(sightings(commandsOf(file), search), commandPolarity, weigh);
}

function* weighed(
  found: Iterable<Sighting>,
  polarityIn: (block: TextBlock, index: number) => Polarity,
  weigh: Weigh = () => ({}),
): Generator<Match> {
  for (const sighting of found) {
    const change = weigh(sighting);
    const polarity = change === null ? "forbidden" : polarityIn(sighting.block, sighting.index);
    if (polarity === "forbidden") continue;
    yield matchOf(sighting, polarity === "example" ? { ...change, severity: "low" } : (change ?? {}));
  }
}

/** Every place in these blocks where one of the signs stands. */
export function* sightings(
  blocks: Iterable<TextBlock>,
  search: Search | readonly Sign[],
): Generator<Sighting> {
  const { hint, signs } = "hint" in search ? search : { hint: anything, signs: search };
  for (const block of blocks) {
    if (!hint.test(block.lower)) continue;
    for (const sign of signs)
      for (const match of block.text.matchAll(sign.pattern))
        yield { block, index: match.index, words: match[0], sign };
  }
}

const anything = /(?:)/;

/** A sighting as the engine wants it: the first of its lines, and those lines as evidence. */
export function matchOf({ block, index, words, sign }: Sighting, change: Partial<Match> = {}): Match {
  const line = lineAt(block, index);
  const last = lineAt(block, index + words.length - 1);
  const whole = block.lines
    .slice(block.lines.indexOf(line), block.lines.indexOf(last) + 1)
    .map(({ text }) => text.trim())
    .join(" ");
  const part = block.text.slice(Math.max(0, index - wordsAround), index + words.length + wordsAround);
  return {
    file: block.file.path,
    line: line.number,
    evidence: whole.length <= longestEvidence ? whole : part.trim(),
    ...(sign.severity !== undefined && { severity: sign.severity }),
    ...(sign.message !== undefined && { message: sign.message }),
    ...change,
  };
}

const longestEvidence = 200;
const wordsAround = 40;
