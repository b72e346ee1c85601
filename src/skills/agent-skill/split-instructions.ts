/** A `SKILL.md`, taken apart. */
export interface SplitInstructions {
  /** The lines between the first two that are exactly `---`, each with its end, which is `\n`. They begin on line 2. */
  block: string;
  /** What follows. */
  body: string;
  /** The line of the file on which the body begins. */
  bodyLine: number;
  /** Where the lines of the block lie in the text. */
  from: number;
  to: number;
}

/** Takes the text of a `SKILL.md` apart; null where it does not begin with a block between `---` lines. */
export function splitInstructions(text: string): SplitInstructions | null {
  const from = /^---\r?\n/.exec(text)?.[0].length;
  if (from === undefined) return null;
  const closing = /\n---\r?(?:\n|$)/g;
  closing.lastIndex = from - 1; // the end of the first line may be all that stands between the two
  const end = closing.exec(text);
  if (end === null) return null;
  const to = end.index + 1;
  const block = text.slice(from, to).replaceAll("\r\n", "\n");
  return { block, body: text.slice(closing.lastIndex), bodyLine: block.split("\n").length + 2, from, to };
}
