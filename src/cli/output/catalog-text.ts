import pc from "picocolors";
import type { CountedShare } from "../../contract/trigger-report.ts";
import { grouped, percent, percentBounds } from "../../report/text/format-numbers.ts";
import { fitWidth, textWidth, wrappedWords } from "../../report/text/text-width.ts";
import { intervalLabel } from "../../report/view/interval-words.ts";
import { shownText } from "../../shared/text/visible-text.ts";

/** How text is laid out: colours that may be none, and columns of the terminal, null where nothing has to fit. */
export interface TextTerms {
  paint: ReturnType<typeof pc.createColors>;
  width: number | null;
}

/** How text over a catalog is laid out. */
export interface CatalogTerms extends TextTerms {
  /** How many of each kind are listed; the worst come first. */
  atMost: number;
}

export interface CatalogLayout {
  color: boolean;
  width: number | null;
  verbose: boolean;
}

const defaultListed = 10;

/** The layout for this terminal; `verbose` lists everything. */
export function catalogTerms({ color, width, verbose }: CatalogLayout): CatalogTerms {
  const atMost = verbose ? Number.POSITIVE_INFINITY : defaultListed;
  return { paint: pc.createColors(color), width, atMost };
}

const queryLimit = 300;
const idLimit = 60;

/** `37.5% [13.7–69.4] for cases like these (8 cases), few cases` */
export function shareWords({ rate, interval }: CountedShare): string {
  if (rate === null || interval === null) return percent(rate);
  return `${percent(rate)} [${percentBounds(interval)}] ${intervalLabel(interval)}`;
}

/** The id of a skill inside a sentence. */
export function idWords(id: string): string {
  return `\`${shownText(id, idLimit)}\``;
}

/** A block of lines under its title; none where there is nothing to say. */
export function section(title: string, lines: readonly string[], { paint, width }: CatalogTerms): string[] {
  if (lines.length === 0) return [];
  const heads = width === null ? [title] : wrappedWords(title, width);
  return [...heads.map((line) => paint.bold(line)), ...lines];
}

/** The lines of the first few, and how many more there are. */
export function firstLines<Item>(
  items: readonly Item[],
  itemLines: (item: Item) => readonly string[],
  { paint, atMost }: CatalogTerms,
  total = items.length,
): string[] {
  const rest = total - Math.min(items.length, atMost);
  const hint = items.length > atMost ? " (--verbose lists them)" : "";
  const more = rest > 0 ? [paint.dim(`  … and ${grouped(rest)} more${hint}`)] : [];
  return [...items.slice(0, atMost).flatMap((item) => [...itemLines(item)]), ...more];
}

/** What was examined, dim: on one line where it fits, else a line each. */
export function factLines(facts: readonly string[], terms: CatalogTerms): string[] {
  const { paint, width } = terms;
  const line = facts.join("   ");
  const fits = width === null || textWidth(line) <= width;
  const lines = fits ? [line] : facts.flatMap((fact) => sentenceLines(fact, terms));
  return lines.map((one) => paint.dim(one));
}

/** A sentence over as many lines as it needs. */
export function sentenceLines(words: string, { width }: CatalogTerms, indent = ""): string[] {
  const hanging = `${indent}  `;
  if (width === null || textWidth(words) + indent.length <= width) return [`${indent}${words}`];
  const lines = wrappedWords(words, Math.max(20, width - hanging.length));
  return lines.map((line, at) => `${at === 0 ? indent : hanging}${line}`);
}

/** A request with its note, on one line where it fits. */
export function queryLines(query: string, aside: string, { paint, width }: CatalogTerms): string[] {
  const indent = "    ";
  const room = width === null ? Number.POSITIVE_INFINITY : Math.max(20, width - indent.length);
  const text = fitWidth(shownText(query, queryLimit), room);
  const words = fitWidth(shownText(aside, queryLimit), room - 2);
  return [`${indent}${text}`, ...(words === "" ? [] : [`${indent}  ${paint.dim(words)}`])];
}
