/** A heading of a Markdown text, with the offset where its line begins. */
export interface Heading {
  level: number;
  title: string;
  start: number;
}

export type FoundSection = { ok: true; text: string; heading: Heading } | { ok: false; headings: Heading[] };

/** The section of a text under the first heading that fits: up to the next one of the same or a higher level. */
export function findSection(text: string, hint: string): FoundSection {
  const headings = headingsIn(text);
  const wanted = readHint(hint);
  const at = headings.findIndex(
    ({ level, title }) => title === wanted.title && (wanted.level === null || level === wanted.level),
  );
  const found = headings[at];
  if (found === undefined) return { ok: false, headings };
  const next = headings.find(({ level }, index) => index > at && level <= found.level);
  return { ok: true, text: text.slice(found.start, next?.start), heading: found };
}

/** The headings that begin with `#`, outside code fences. One look at each line, since the text is untrusted. */
export function headingsIn(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: Fence | null = null;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const line = text.slice(start, text[end - 1] === "\r" ? end - 1 : end);
    if (fence !== null && isWithin(fence, line)) {
      if (closes(fence, line)) fence = null;
    } else {
      const heading = readHeading(line);
      if (heading !== null) headings.push({ level: heading.level, title: heading.title, start });
      fence = heading === null ? openedFence(line) : null;
    }
    start = end + 1;
  }
  return headings;
}

/** A heading as its author would write it. */
export function headingLine({ level, title }: Pick<Heading, "level" | "title">): string {
  return `${"#".repeat(level)} ${title}`;
}

function readHeading(line: string): { level: number; title: string } | null {
  const indent = runLength(line, 0, " ");
  if (indent > 3 || line[indent] !== "#") return null;
  const level = runLength(line, indent, "#");
  const next = line[indent + level];
  if (level > 6 || (next !== undefined && next !== " " && next !== "\t")) return null;
  return { level, title: plainTitle(line.slice(indent + level)) };
}

/** With leading `#` the level is meant as well. */
function readHint(hint: string): { level: number | null; title: string } {
  const line = hint.trim();
  return readHeading(line.replace(/\s/g, " ")) ?? { level: null, title: plainTitle(line) };
}

/** Without the closing `#` and with single spaces. */
function plainTitle(text: string): string {
  const title = text.trim();
  let end = title.length;
  while (title[end - 1] === "#") end--;
  const isClosing = end < title.length && (end === 0 || /\s/.test(title[end - 1] ?? ""));
  return (isClosing ? title.slice(0, end) : title).trim().replace(/\s+/g, " ");
}

interface Fence {
  char: string;
  length: number;
  /** Of the list item it is in: a line that is indented less ends the item, and the fence with it. */
  indent: number;
}

/** The line may begin a list item; a fence in a quote cannot hide a heading outside. */
function openedFence(line: string): Fence | null {
  if (!line.includes("```") && !line.includes("~~~")) return null;
  const lead = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,4})?/.exec(line)?.[0] ?? "";
  const char = line[lead.length];
  if (char !== "`" && char !== "~") return null;
  const length = runLength(line, lead.length, char);
  if (length < 3) return null;
  if (char === "`" && line.includes("`", lead.length + length)) return null;
  return { char, length, indent: lead.trim() === "" ? 0 : lead.length };
}

function isWithin({ indent }: Fence, line: string): boolean {
  return indent === 0 || runLength(line, 0, " ") >= indent || line.trim() === "";
}

function closes({ char, length, indent }: Fence, line: string): boolean {
  const start = runLength(line, 0, " ");
  if (start > indent + 3 || line[start] !== char) return false;
  const run = runLength(line, start, char);
  return run >= length && line.slice(start + run).trim() === "";
}

function runLength(line: string, start: number, char: string): number {
  let end = start;
  while (line[end] === char) end++;
  return end - start;
}
