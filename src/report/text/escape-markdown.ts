import { visibleText } from "../../shared/text/visible-text.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// An underscore inside a word is no markup in CommonMark, so `coding_003` stays readable in the source.
const markup = /[\\`*[\]#!~|$&<>@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=\bwww)\./giu;

// Most cells of a table are plain words and numbers: one look at them is enough.
const harmless = /^[A-Za-z0-9 ,;:%()+="{}✓✗–-]*$/;

/** Text of a stranger as one line of inert Markdown, inside a table as anywhere: no markup, no link, no hidden character. */
export function escapeMarkdown(text: string): string {
  if (harmless.test(text)) return text;
  return visibleText(text).replace(markup, (char) => entities[char] ?? `\\${char}`);
}
