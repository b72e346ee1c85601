import type { AuditedFile, AuditedLine } from "./rule.ts";

// Soft hyphen, zero-width, bidirectional controls, variation selectors, tags: what a reader never sees.
const hidden = /\p{Default_Ignorable_Code_Point}/gu;
const tags = /[\u{e0020}-\u{e007e}]/gu;

/** A line as a machine would act on it: hidden characters gone, tag characters as the letters they represent, Unicode forms normalized. */
function withoutHidden(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no work, and most lines are
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  return text
    .replace(tags, (char) => String.fromCharCode((char.codePointAt(0) ?? 0) - 0xe0000))
    .replace(hidden, "")
    .normalize("NFKC");
}

/** A line as a reader would say it: without emphasis, quotation and item marks, comment signs and doubled spaces. */
function plainWords(text: string): string {
  return withoutHidden(text)
    .replace(/^\s{0,40}(?:(?:>|[-+*•]|\d{1,3}[.)]|\/\/|\/\*|#(?!!)|--|;;)\s{0,8}){1,6}/, "")
    .replace(/\*{1,3}|~~|(?<![\w`])_{1,3}(?=\w)|(?<=\w)_{1,3}(?![\w`])/g, "")
    .replace(/[\t ]{2,}/g, " ")
    .trim();
}

/** A stretch of a file that is searched as one text, and the lines it was made of. */
export interface TextBlock {
  file: AuditedFile;
  text: string;
  /** The same in lower case, for cheap pre-checks. */
  lower: string;
  lines: readonly AuditedLine[];
  /** Where in `text` each of the lines begins. */
  starts: readonly number[];
  /** The last heading above it; "" in anything but prose. */
  heading: string;
  /** The lines right above it, for what they say about it. */
  before: string;
}

/**
 * A file as sentences: lines of one paragraph joined, markup and hidden characters taken away, so that neither a line
 * break nor an asterisk inside a phrase hides it.
 */
export const readParagraphs = remembered((file) => gather(file, continuesParagraph, plainWords));

/** A file as commands: one per line, those that go on over several lines joined. */
export const readCommands = remembered((file) => gather(file, continuesCommand, withoutHidden));

/** The line that an index of a block is on. */
export function lineAt({ lines, starts }: TextBlock, index: number): AuditedLine {
  let found = 0;
  for (let low = 0, high = starts.length - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) > index) high = middle - 1;
    else {
      found = middle;
      low = middle + 1;
    }
  }
  return lines[found] as AuditedLine;
}

/** Whether a block is prose outside a fence: meant for the reader, not typed or run verbatim. */
export function isSentence({ file, lines }: TextBlock): boolean {
  return file.kind === "prose" && lines[0]?.isCode === false;
}

const maxLines = 40;
/** How many lines above may hold a warning: near in prose; a list in a program may be long. */
const linesBefore = { prose: 3, other: 12 };

/** Each rule asks for the same blocks; they are made once per file. */
function remembered(make: (file: AuditedFile) => TextBlock[]): (file: AuditedFile) => readonly TextBlock[] {
  const made = new WeakMap<AuditedFile, TextBlock[]>();
  return (file) => {
    const blocks = made.get(file) ?? make(file);
    made.set(file, blocks);
    return blocks;
  };
}

function gather(
  file: AuditedFile,
  continues: (line: AuditedLine, last: AuditedLine) => boolean,
  clean: (text: string) => string,
): TextBlock[] {
  const blocks: TextBlock[] = [];
  let heading = "";
  let lines: AuditedLine[] = [];
  let first = 0;
  const close = () => {
    if (lines.length === 0) return;
    const before = file.lines
      .slice(Math.max(0, first - (file.kind === "prose" ? linesBefore.prose : linesBefore.other)), first)
      .map(({ text }) => text.slice(0, 300))
      .join("\n");
    blocks.push({ file, ...joined(lines, clean), lines, heading, before });
    lines = [];
  };
  for (const [index, line] of file.lines.entries()) {
    const last = lines.at(-1);
    const isPiece = last?.number === line.number;
    if (last === undefined || isPiece || lines.length >= maxLines || !continues(line, last)) {
      close();
      first = index;
    }
    if (file.kind === "prose" && isHeading(line)) heading = line.text.trim().slice(0, 200);
    if (line.text.trim() !== "") lines.push(line);
    else close();
  }
  close();
  return blocks;
}

function joined(lines: readonly AuditedLine[], clean: (text: string) => string) {
  const starts: number[] = [];
  let text = "";
  for (const line of lines) {
    starts.push(text.length);
    text += `${clean(line.text)} `;
  }
  return { text, lower: text.toLowerCase(), starts };
}

/** A heading, an item, a row and a fence begin something new; any other line goes on with what is above it. */
function continuesParagraph(line: AuditedLine, last: AuditedLine): boolean {
  if (line.isCode !== last.isCode || isHeading(last)) return false;
  return line.isCode || !/^\s{0,20}(?:#{1,6}\s|[-+*•]\s|\d{1,3}[.)]\s|\||`{3}|~{3})/.test(line.text);
}

function continuesCommand(line: AuditedLine, last: AuditedLine): boolean {
  return (
    line.isCode === last.isCode &&
    line.text.trim() !== "" &&
    /(?:\\|\s`|\||&&)$/.test(last.text.slice(-8).trimEnd())
  );
}

function isHeading(line: AuditedLine): boolean {
  return !line.isCode && /^ {0,3}#{1,6}\s/.test(line.text);
}
