const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const plain = /^[\u0020-\u007e]*$/;
// Variation selectors are marks too, yet one of them makes the character before it wide: never count it as nothing.
const combining = /(?![\ufe00-\ufe0f])[\p{Mn}\p{Me}]/u;

/** Columns a text takes on a terminal; Chinese, Japanese and Korean characters and emoji take two. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** At most `limit` columns of a text, with an ellipsis where something was cut. */
export function fitWidth(text: string, limit: number): string {
  if (textWidth(text) <= limit) return text;
  if (limit < 1) return "";
  let shown = "";
  let width = 0;
  for (const char of text) {
    width += charWidth(char);
    if (width > limit - 1) break;
    shown += char;
  }
  return `${shown}…`;
}

/** The same, but keeps the end: paths differ at their end. */
export function fitWidthEnd(text: string, limit: number): string {
  if (textWidth(text) <= limit) return text;
  const shown = [...text];
  let width = textWidth(text);
  while (width > limit - 1 && shown.length > 0) width -= charWidth(shown.shift() ?? "");
  return `…${shown.join("")}`;
}

/** The text, filled with spaces to this many columns. */
export function padWidth(text: string, width: number, align: "left" | "right" = "left"): string {
  const spaces = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + spaces : spaces + text;
}

function charWidth(char: string): number {
  if (wide.test(char)) return 2;
  return combining.test(char) ? 0 : 1;
}

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

/** At most `limit` characters of a text whose end says more than its middle: a traceback ends with what went wrong. */
export function shortenMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const headLength = Math.floor(limit / 3);
  const head = text.slice(0, headLength).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - (limit - headLength - 1)).replace(/^[\udc00-\udfff]/, "");
  return `${head}…${tail}`;
}
