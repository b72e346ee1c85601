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
  let kept = "";
  let width = 0;
  for (const char of text) {
    width += charWidth(char);
    if (width > limit - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** The same of its end, for paths, which end with what tells them apart. */
export function fitWidthEnd(text: string, limit: number): string {
  if (textWidth(text) <= limit) return text;
  const kept = [...text];
  let width = textWidth(text);
  while (width > limit - 1 && kept.length > 0) width -= charWidth(kept.shift() ?? "");
  return `…${kept.join("")}`;
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
