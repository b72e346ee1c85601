import { textWidth } from "./text-width.ts";

/**
 * A text in lines of at most this many columns, broken at spaces, and in a script that has none between letters. A word
 * longer than a line stays whole otherwise: it is most likely a path, there to be copied.
 */
export function wrappedWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = "";
    }
    const pieces = brokenWord(word, width);
    lines.push(...pieces.slice(0, -1));
    const last = pieces.at(-1) ?? "";
    line = line === "" ? last : `${line} ${last}`;
  }
  return [...lines, line];
}

function brokenWord(word: string, width: number): string[] {
  if (textWidth(word) <= width || textWidth(word) === word.length) return [word];
  const pieces = [""];
  for (const char of word) {
    const piece = pieces.at(-1) ?? "";
    if (textWidth(piece) + textWidth(char) > width && piece !== "") pieces.push(char);
    else pieces[pieces.length - 1] = piece + char;
  }
  return pieces;
}
