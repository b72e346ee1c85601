/** Whether a text uses Markdown: a heading, list, table, fence, quote or link. One look at each line. */
export function isMarkdown(text: string): boolean {
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    if (marked.test(line) || hasLink(line)) return true;
    if (before.trim() !== "" && (isUnderline(line) || isTableRule(line, before))) return true;
    before = line;
  }
  return false;
}

/** A heading, a fence, a quote, an item of a list. */
const marked = /^(?: {0,3}(?:#{1,6}(?:[ \t]|$)|```|~~~|>)|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S)/;

/** A line of `=` or `-` makes the one above it a heading. */
function isUnderline(line: string): boolean {
  const text = line.trim();
  return text !== "" && /^ {0,3}\S/.test(line) && (/^=+$/.test(text) || /^-+$/.test(text));
}

function isTableRule(line: string, before: string): boolean {
  if (!line.includes("|") || !before.includes("|")) return false;
  const cells = line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function hasLink(line: string): boolean {
  const open = line.indexOf("[");
  const middle = open === -1 ? -1 : line.indexOf("](", open);
  if (middle !== -1 && line.lastIndexOf(")") > middle + 2) return true;
  return /^ {0,3}\[[^\]]+\]:/.test(line) || /<(?:https?:\/\/|mailto:)[^\s<>]+>/.test(line);
}
