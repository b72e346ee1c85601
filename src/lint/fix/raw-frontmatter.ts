import { splitInstructions } from "../../skills/agent-skill/split-instructions.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/** The frontmatter of a `SKILL.md` as it stands on disk, to be edited without touching anything else. */
export interface RawFrontmatter {
  /** The lines between the two `---`, with `\n` as their only line end. */
  block: string;
  /** The whole text with pieces of the block replaced; positions are those of the block. */
  edited: (edits: readonly TextEdit[]) => string;
}

/** Finds the frontmatter in the text of a file, byte order mark and all; null where there is none. */
export function rawFrontmatter(text: string): RawFrontmatter | null {
  const mark = text.startsWith("\ufeff") ? 1 : 0;
  const split = splitInstructions(text.slice(mark));
  if (split === null) return null;
  const start = mark + split.from;
  const lineEnd = text[start - 2] === "\r" ? "\r\n" : "\n";
  const toWritten = positionsIn(text.slice(start, mark + split.to));
  const edited = (edits: readonly TextEdit[]) =>
    applyEdits(
      text,
      edits.map(({ from, to, insert }) => ({
        from: start + toWritten(from),
        to: start + toWritten(to),
        insert: insert.replaceAll("\n", lineEnd),
      })),
    );
  return { block: split.block, edited };
}

/** Where a position of the text with plain line ends lies in the text as it was written. */
function positionsIn(written: string): (position: number) => number {
  if (!written.includes("\r\n")) return (position) => position;
  const places: number[] = []; // for each position of the plain text, its place in what was written
  for (let at = 0; at < written.length; at++) {
    places.push(at);
    if (written[at] === "\r" && written[at + 1] === "\n") at++;
  }
  return (position) => places[position] ?? written.length;
}
