/** Words that negate what follows them. `do not` and `does not` are `not` with something before it. */
export const negators = {
  unspaced: ["不需要", "不要", "不用", "无需", "不必", "不想", "不打算", "不是", "禁止", "别", "勿"],
  spaced: ["don't", "doesn't", "never", "without", "avoid", "skip", "not", "no", "instead of", "rather than"],
};

/** Words that contain a negator and negate nothing. */
export const notNegators = {
  unspaced: [
    ...["别忘", "别漏", "不要忘", "不要漏", "不仅", "不只"],
    ...["特别", "类别", "分别", "识别", "级别", "个别", "区别", "性别", "别的", "别人"],
    // Questions, not refusals.
    ...["是不是", "要不要", "用不用", "想不想"],
  ],
  spaced: ["don't forget", "do not forget", "not only", "not just", "why not", "no problem"],
};

/** What begins a new clause, where an earlier negator has no effect. A full stop counts only before a blank. */
export const clauseEnds = {
  marks: [",", ";", "!", "?", "，", "。", "；", "！", "？", "\n"],
  unspaced: ["但", "但是", "而是", "只要", "改为"],
  spaced: ["but", "instead", "rather"],
};

/** How far a negator reaches. */
export const reach = { unspacedCharacters: 10, spacedWords: 5 };

/** Where a message negates what it names. */
export class Negation {
  /** Where the scope of each negator begins, in order. */
  readonly #starts: readonly number[];
  /** The last position in the scope of each negator. A later scope never ends before an earlier one. */
  readonly #lasts: readonly number[];

  /** `message` is normalised. */
  constructor(message: string) {
    const tokens = [...message.matchAll(anyToken)];
    const ends = tokens.filter(({ groups }) => groups?.end !== undefined).map(({ index }) => index);
    this.#starts = tokens
      .filter(({ groups }) => groups?.negator !== undefined)
      .map(({ index, 0: negator }) => index + negator.length);
    this.#lasts = this.#starts.map((start) => lastPosition(message, start, ends));
  }

  /** Whether a phrase that begins here is negated. */
  covers(start: number): boolean {
    const last = this.#lasts[firstAtLeast(this.#starts, start + 1) - 1];
    return last !== undefined && start <= last;
  }
}

function lastPosition(message: string, start: number, ends: readonly number[]): number {
  const clauseEnd = ends[firstAtLeast(ends, start)] ?? message.length;
  let characters = 0;
  let words = 0;
  pieces.lastIndex = start;
  for (let piece = pieces.exec(message); piece !== null; piece = pieces.exec(message)) {
    if (piece.index >= clauseEnd) break;
    if (piece[1] !== undefined) characters++;
    else words++;
    if (characters > reach.unspacedCharacters || words > reach.spacedWords) return piece.index;
  }
  return clauseEnd - 1;
}

const unspaced = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]";
const letter = `(?:(?!${unspaced})[\\p{L}\\p{M}\\p{N}])`;
/** One character of a script without spaces, or one word of any other. */
const pieces = new RegExp(`(${unspaced})|${letter}+(?:'${letter}+)*`, "gu");

/** Exceptions come first, so that nothing else matches inside them; of the rest the longest word counts. */
const anyToken = new RegExp(
  [
    alternatives(notNegators),
    `(?<negator>${alternatives(negators)})`,
    `(?<end>[${clauseEnds.marks.join("")}]|\\.(?= )|${alternatives(clauseEnds)})`,
  ].join("|"),
  "gu",
);

/** A word of a spaced script must be a whole word: not in another, and not joined to one by a hyphen, as in `no-code`. */
function alternatives(words: { unspaced: readonly string[]; spaced: readonly string[] }): string {
  const joined = (list: readonly string[]) => [...list].sort((a, b) => b.length - a.length).join("|");
  const letters = "[\\p{Script=Latin}\\p{Nd}]";
  return `${joined(words.unspaced)}|(?<!${letters}['-]?)(?:${joined(words.spaced)})(?!['-]?${letters})`;
}

/** The index of the first number in a sorted list that is not smaller. */
function firstAtLeast(sorted: readonly number[], least: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}
