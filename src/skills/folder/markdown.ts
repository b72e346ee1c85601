/** A line of a Markdown text. */
interface MarkdownLine {
  text: string;
  /** `code` between fences, `fence` for the lines that open and close it. */
  kind: "prose" | "fence" | "code";
}

/** The lines of a Markdown text, with fenced code distinguished. Fences in lists and quotes count too. */
export function* markdownLines(text: string): Generator<MarkdownLine> {
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const marker = !/```|~~~/.test(line)
      ? null
      : (/^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? null);
    if (fence === null) {
      const opens =
        marker !== null &&
        !(marker.startsWith("`") && line.slice(line.indexOf(marker) + marker.length).includes("`"));
      if (opens) fence = marker;
      yield { text: line, kind: opens ? "fence" : "prose" };
    } else {
      const closes = marker?.startsWith(fence) === true && line.replace(/^[ \t>]+/, "").trimEnd() === marker;
      if (closes) fence = null;
      yield { text: line, kind: closes ? "fence" : "code" };
    }
  }
}

/** Code inside a line: from its first backtick to behind its last. */
export interface CodeSpan {
  start: number;
  end: number;
  /** The text between the backticks. */
  code: string;
}

/** The code inside a line of Markdown: a run of backticks up to the next that is as long. */
export function codeSpans(line: string): CodeSpan[] {
  if (!line.includes("`")) return [];
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const next = nextOfSameLength(runs.map(({ length }) => length));
  const spans: CodeSpan[] = [];
  for (let at = 0; at < runs.length; at++) {
    const closing = next[at] ?? -1;
    const open = runs[at];
    const close = runs[closing];
    if (open === undefined || close === undefined) continue; // a lone backtick is text
    const code = line.slice(open.index + open.length, close.index).trim();
    spans.push({ start: open.index, end: close.index + close.length, code });
    at = closing;
  }
  return spans;
}

/** For each run the index of the next that is as long; -1 if there is none. */
function nextOfSameLength(lengths: readonly number[]): number[] {
  const latest = new Map<number, number>();
  const next = lengths.map(() => -1);
  for (let at = lengths.length - 1; at >= 0; at--) {
    const length = lengths[at] ?? 0;
    next[at] = latest.get(length) ?? -1;
    latest.set(length, at);
  }
  return next;
}
