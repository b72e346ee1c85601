import type { Severity } from "../contract/findings.ts";
import { lineAt, readCommands, readParagraphs, type TextBlock } from "./blocks.ts";
import { excerptAt, isDependency, isTestMaterial } from "./file-locations.ts";
import { commandPolarity, type Polarity, polarityAt } from "./polarity.ts";
import type { AuditedFile, AuditedSkill, Match } from "./rule.ts";

/** What to look for, and how bad it is where that differs from the rule. */
export interface Sign {
  /** Global, and every repetition bounded: a file must not be able to make a search slow. */
  pattern: RegExp;
  severity?: Severity;
  message?: string;
}

export interface Search {
  /** In lower case: words of which every sign needs at least one. A cheap pre-check that spares a block the slow searches. */
  hint: RegExp;
  signs: readonly Sign[];
}

export interface Sighting {
  block: TextBlock;
  index: number;
  words: string;
  sign: Sign;
}

/** How the context of a sighting changes its match; null to drop it. */
type Weigh = (sighting: Sighting) => Partial<Match> | null;

/** What a file asks of its reader in these words: not what it warns of; at low what it shows in a section about attacks. */
export function wordingMatches(
  file: AuditedFile,
  search: Search | readonly Sign[],
  weigh?: Weigh,
): Iterable<Match> {
  return weighed(sightings(readParagraphs(file), search), polarityAt, weigh);
}

/** What a file does, or has people do, with these commands. */
export function commandMatches(
  file: AuditedFile,
  search: Search | readonly Sign[],
  weigh?: Weigh,
): Iterable<Match> {
  return weighed(sightings(readCommands(file), search), commandPolarity, weigh);
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
    yield toMatch(sighting, polarity === "example" ? { ...change, severity: "low" } : (change ?? {}));
  }
}

/** Every match of one of the signs in these blocks. */
export function* sightings(
  blocks: Iterable<TextBlock>,
  search: Search | readonly Sign[],
): Generator<Sighting> {
  const { hint, signs } = "hint" in search ? search : { hint: anything, signs: search };
  for (const block of blocks) {
    if (!hint.test(block.lower)) continue;
    for (const sign of signs)
      for (const { index, words } of matchesIn(block.text, sign.pattern)) yield { block, index, words, sign };
  }
}

/** As `matchAll`, which makes a copy of the pattern for every text: with hundreds of signs and blocks that is most of an audit. */
function* matchesIn(text: string, pattern: RegExp): Generator<{ index: number; words: string }> {
  for (let from = 0; ; ) {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) return;
    const { index, 0: words } = match;
    from = words === "" ? index + 1 : index + words.length;
    yield { index, words };
  }
}

const anything = /(?:)/;

/** A sighting as the engine wants it: the first of its lines, and those lines as evidence. */
export function toMatch({ block, index, words, sign }: Sighting, change: Partial<Match> = {}): Match {
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

const assignment =
  /(?:^|[;{(,\s])(?:const |let |var |my |local |export |global )?\$?([A-Za-z_]\w{0,60})(?:\s{0,3}:\s{0,3}[A-Za-z_][\w.[\]]{0,30})?\s{0,3}(?::=|=(?![=>]))\s{0,3}(.{1,600})/;
const execution =
  /(?<![\w.])(?:exec|eval|execfile|Function|vm\.run\w{2,20}|iex|Invoke-Expression|instance_eval|module\._compile|setTimeout)\s{0,3}\(?\s{0,3}(?:compile\(\s{0,3})?["']?\$?\{?([A-Za-z_]\w{0,60})|(?:\b(?:ba|z|da)?sh|python3?|node|perl)\s{1,3}-[ce]\s{1,3}["']?\$\{?([A-Za-z_]\w{0,60})|\becho\s{1,3}["']?\$\{?([A-Za-z_]\w{0,60})\}?["']?\s{0,3}\|\s{0,3}(?:ba|z|da)?sh\b/g;

/** Values that come from a `source` by assignment, step by step, and are executed in the same file. */
export function* findTainted(file: AuditedFile, source: RegExp, message: string): Generator<Match> {
  const tainted = new Set<string>();
  for (const block of readCommands(file)) {
    const isRunnable = file.kind === "code" || block.lines[0]?.isCode === true;
    if (!isRunnable || block.lines[0]?.isComment === true) continue;
    for (const match of block.text.matchAll(execution)) {
      const name = match[1] ?? match[2] ?? match[3] ?? "";
      if (!tainted.has(name) || commandPolarity(block, match.index) !== "requested") continue;
      yield toMatch({ block, index: match.index, words: match[0], sign: { pattern: execution, message } });
    }
    const opened = /\bwith\s{1,3}(.{1,400}?)\s{1,3}as\s{1,3}([A-Za-z_]\w{0,60})\s{0,3}:/.exec(block.text);
    const assigned = assignment.exec(block.text);
    const [name, value] = opened === null ? [assigned?.[1], assigned?.[2]] : [opened[2], opened[1]];
    if (name === undefined || value === undefined) continue;
    if (source.test(value) || mentions(value, tainted)) tainted.add(name);
  }
}

function mentions(value: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  return (value.match(/[A-Za-z_]\w{0,60}/g) ?? []).some((word) => names.has(word));
}

/** The first use of one of these shapes in a skill's own programs, by language. */
export function firstUse(
  { files }: AuditedSkill,
  shapes: Readonly<Record<string, RegExp>>,
  isHarmless: (line: string) => boolean,
): (Match & { text: string }) | null {
  for (const file of files) {
    const shape = shapes[file.language ?? ""];
    if (shape === undefined || !isOwnProgram(file)) continue;
    for (const line of file.lines) {
      if (line.isComment) continue;
      const found = shape.exec(line.text);
      if (found === null || isHarmless(line.text)) continue;
      return {
        file: file.path,
        line: line.number,
        evidence: excerptAt(line.text, found.index),
        text: line.text,
      };
    }
  }
  return null;
}

function isOwnProgram({ path, kind }: AuditedFile): boolean {
  return kind === "code" && !isTestMaterial(path) && !isDependency(path);
}
