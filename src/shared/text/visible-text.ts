/** Controls, formatting (zero-width, bidirectional, tags, BOM), line and paragraph separators, lone surrogates. */
export const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const names: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u001b": "\\e" };

/** Text of a stranger, safe to print: whatever could move the cursor, colour, link or reorder becomes a visible escape. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char) => names[char] ?? `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** The same, keeping line breaks, for messages that are meant to have several lines. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/** At most `limit` characters, with an ellipsis where something was cut. Never splits a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text[limit - 2] ?? "") ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

/** The same, cut between words; within one only where that one is longer than half of the limit. */
export function shortenWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = shorten(text, limit - 1).slice(0, -1);
  const end = cut.search(/\s\S*$/);
  const isBetween = /\s/.test(text[cut.length] ?? "") || end < limit / 2;
  return `${(isBetween ? cut : cut.slice(0, end)).trimEnd()} …`;
}

/** A stranger's text as a part of a sentence: all of it visible, and not longer than anybody reads. */
export function shownText(text: string, limit = 80): string {
  return shorten(visibleText(shorten(text, limit)), limit);
}

/** The same as a quotation of its own, which keeps its lines and ends with a whole word. */
export function shownLines(text: string, limit: number): string {
  return shortenWords(visibleLines(shortenWords(text, limit)), limit);
}

// Controls that JSON does not escape, formatting (zero-width, bidirectional, tags), line and paragraph separators.
const live = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON that is safe to print: what could move the cursor or reorder text is escaped, which every reader decodes to the same value. */
export function inertJson(value: unknown, indent?: number): string {
  return inertText(JSON.stringify(value, null, indent));
}

/** The same for JSON that is text already. */
export function inertText(json: string): string {
  return json.replace(live, escaped);
}

function escaped(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Ends a text about a skill that was cut, so that whoever reads it knows. */
export const truncationTag = "[...truncated...]";
