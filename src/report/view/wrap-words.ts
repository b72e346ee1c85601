import { visibleText } from "../../shared/text/visible-text.ts";
import { grouped } from "../text/format-numbers.ts";
import { fitWidth, textWidth } from "../text/text-width.ts";

/** Untrusted text as lines that are safe to print: line breaks stay, tabs are spaces, what is hidden becomes visible. */
export function textLines(text: string): string[] {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/\s+$/, "")
    .replaceAll("\t", "    ")
    .split("\n")
    .map((line) => visibleText(line).trimEnd());
}

/** The same on one line, for names and titles. */
export function oneLine(text: string): string {
  return visibleText(text.replace(/\s*[\r\n\t]+\s*/g, " ").trim());
}

/** The same, wrapped between words; lines that were indented stay so. */
export function wrapText(text: string, width: number): string[] {
  return textLines(text).flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return wrapWords(line.trimStart(), width - indent.length).map((part) => `${indent}${part}`.trimEnd());
  });
}

/** The first and the last of many lines: a traceback begins with where and ends with what. */
export function limitLines(lines: readonly string[], maxLines: number): string[] {
  if (lines.length <= maxLines) return [...lines];
  const tail = Math.floor(maxLines / 2);
  const head = maxLines - tail - 1;
  return [
    ...lines.slice(0, head),
    `… ${grouped(lines.length - head - tail)} more lines …`,
    ...lines.slice(-tail),
  ];
}

/** A paragraph as lines of at most this many columns. Breaks between words alone; a longer word has a line of its own. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let taken = 0;
  for (const piece of pieces(text)) {
    const wide = textWidth(piece.trimEnd());
    if (line !== "" && taken + wide > width) {
      lines.push(line.trimEnd());
      line = "";
      taken = 0;
    }
    line += line === "" ? piece.trimStart() : piece;
    taken = textWidth(line);
  }
  if (line.trim() !== "" || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}

/** The width of the longest word: a text cannot be wrapped narrower. */
export function longestWord(text: string): number {
  return pieces(text).reduce((most, piece) => Math.max(most, textWidth(piece.trim())), 0);
}

/** At most this many columns of a text, cut between words, with an ellipsis where something was cut; a word is cut only where it alone is too long. */
export function cutWords(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let shown = "";
  for (const piece of pieces(text)) {
    if (textWidth(`${shown}${piece}`.trimEnd()) > width - 2) break;
    shown += piece;
  }
  return shown.trim() === "" ? fitWidth(text, width) : `${shown.trimEnd()} …`;
}

// Chinese and Japanese may break between any two characters, but for punctuation; words of other scripts keep together.
const breakable =
  /[（「『《【“‘]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][，。、；：！？）」』》】”’…]*|[^\s（「『《【\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|[（「『《【]+|\s+/gu;

function pieces(text: string): string[] {
  return text.match(breakable) ?? [];
}
