import type pc from "picocolors";
import { shownText, visibleText } from "../../base/visible-text.ts";
import { fitWidth, textWidth } from "../text-width.ts";
import { wrappedWords } from "../wrapped-words.ts";

type Paint = ReturnType<typeof pc.createColors>;
type Tone = (text: string) => string;

/** Where a story is laid out: every text of a stranger that goes through it becomes visible and fits. */
export interface StoryPage {
  paint: Paint;
  /** A heading across the page: `── Turn 2 ────── 0.4 s ──`. */
  rule(title: string, aside: string): string;
  /** Something that happens: a mark, words, and smaller words behind them. */
  told(mark: string, words: string, more?: { tone?: Tone; aside?: string }): string[];
  /** The first lines of a text behind a bar, and where the rest of it is. */
  quoted(text: string, options: { most: number; rest?: string | undefined }): string[];
  /** A name and what belongs to it, below each other with others. */
  fact(name: string, words: string): string[];
}

const indent = "   ";
const factWidth = 11;
const defaultWidth = 80;
/** Longer lines are hard to read, however wide a terminal is. */
const widest = 110;

export function storyPage(paint: Paint, width: number | null): StoryPage {
  const across = Math.min(Math.max(width ?? defaultWidth, 40), widest);
  const wrapped = (text: string, room: number) =>
    width === null ? [text] : wrappedWords(text, Math.max(20, room));

  return {
    paint,
    rule(title, aside) {
      const shown = shownText(title);
      const head = `── ${shown} `;
      const wished = aside === "" ? "" : ` ${shownText(aside, 40)} ──`;
      const tail = textWidth(head) + textWidth(wished) + 2 > across ? "" : wished;
      const line = "─".repeat(Math.max(2, across - textWidth(head) - textWidth(tail)));
      return `${paint.dim("──")} ${paint.bold(shown)} ${paint.dim(`${line}${tail}`)}`;
    },
    told(mark, words, { tone = same, aside = "" } = {}) {
      const hanging = " ".repeat(textWidth(mark) + 1);
      const room = across - indent.length - hanging.length;
      const lines = wrapped(visibleText(words), room);
      const small = visibleText(aside);
      const fits = width === null || textWidth(lines.at(-1) ?? "") + 2 + textWidth(small) <= room;
      const below = small === "" || fits ? [] : wrapped(small, room);
      return [
        ...lines.map((line, at) => {
          const beside = small !== "" && fits && at === lines.length - 1 ? `  ${paint.dim(small)}` : "";
          return `${indent}${at === 0 ? `${tone(mark)} ` : hanging}${tone(line)}${beside}`;
        }),
        ...below.map((line) => `${indent}${hanging}${paint.dim(line)}`),
      ];
    },
    quoted(text, { most, rest }) {
      const bar = `${indent}  ${paint.dim("│")} `;
      const room = across - indent.length - 4;
      const all = text.replace(/\n$/, "").split("\n", longestQuote);
      const lines = all.slice(0, most).flatMap((line) => wrapped(visibleText(line.slice(0, 2000)), room));
      const isCut = all.length > most || lines.length > most;
      const where = rest === undefined ? "" : `; all of it in ${visibleText(rest)}`;
      return [
        ...lines
          .slice(0, most)
          .map((line) => `${bar}${width === null ? line : fitWidth(line, room)}`.trimEnd()),
        ...(isCut || rest !== undefined
          ? [`${bar}${paint.dim(`${isCut ? "… and more" : "cut short"}${where}`)}`]
          : []),
      ];
    },
    fact(name, words) {
      const head = `${indent}${paint.dim(name.padEnd(factWidth))}`;
      const lines = wrapped(visibleText(words), across - indent.length - factWidth);
      return lines.map((line, at) =>
        at === 0 ? `${head}${line}` : `${indent}${" ".repeat(factWidth)}${line}`,
      );
    },
  };
}

const longestQuote = 10_000;

function same(text: string): string {
  return text;
}
