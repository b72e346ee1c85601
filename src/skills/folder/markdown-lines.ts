/** A line of a Markdown text. */
export interface MarkdownLine {
  text: string;
  /** `code` between fences, `fence` for the lines that open and close it. */
  kind: "prose" | "fence" | "code";
}

/** The lines of a Markdown text, with what stands between fences told apart. Fences in lists and quotes count too. */
export function* markdownLines(text: string): Generator<MarkdownLine> {
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = !/```|~~~/.test(line)
      ? null
      : (/^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? null);
    if (fence === null) {
      const opens =
        mark !== null &&
        !(mark.startsWith("`") && line.slice(line.indexOf(mark) + mark.length).includes("`"));
      if (opens) fence = mark;
      yield { text: line, kind: opens ? "fence" : "prose" };
    } else {
      const closes = mark?.startsWith(fence) === true && line.replace(/^[ \t>]+/, "").trimEnd() === mark;
      if (closes) fence = null;
      yield { text: line, kind: closes ? "fence" : "code" };
    }
  }
}
