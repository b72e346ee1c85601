import { sha256 } from "../../shared/json/canonical-json.ts";

export interface TextLimits {
  maxLines?: number | undefined;
  maxChars?: number | undefined;
  /** A line that ends before is cut in its middle instead: of one endless line, a part is better than nothing. */
  minChars?: number | undefined;
}

/** A text, or as much of it as may be shown. */
export interface TruncatedText {
  /** The beginning; what follows in the whole follows at its end. */
  text: string;
  truncated: boolean;
  /** Of the whole. */
  sha256: string;
  lines: number;
  chars: number;
  /** Of what is left. */
  excerpt_sha256: string;
}

/** As much of a text as the limits allow, cut after a line where one ends, and never inside a character. */
export function truncateText(text: string, limits: TextLimits): TruncatedText {
  const excerpt = text.slice(0, Math.min(endOfLines(text, limits), endOfChars(text, limits)));
  const truncated = excerpt.length < text.length;
  const hash = sha256(text);
  return {
    text: excerpt,
    truncated,
    sha256: hash,
    lines: countLines(text),
    chars: text.length,
    excerpt_sha256: truncated ? sha256(excerpt) : hash,
  };
}

/** What an agent is shown of a file at once. */
export const maxExcerptLength = 12_000;

/** The beginning of a file, whatever its lines are like. */
export function makeExcerpt(text: string): TruncatedText {
  return truncateText(text, { maxChars: maxExcerptLength, minChars: maxExcerptLength / 2 });
}

function endOfLines(text: string, { maxLines = Number.POSITIVE_INFINITY }: TextLimits): number {
  let end = 0;
  for (let line = 0; line < maxLines; line++) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text.length;
    end = next + 1;
  }
  return end;
}

function endOfChars(text: string, { maxChars = text.length, minChars = 1 }: TextLimits): number {
  if (text.length <= maxChars) return text.length;
  if (maxChars < 1) return 0;
  const lineEnd = text.lastIndexOf("\n", maxChars - 1) + 1;
  if (lineEnd >= minChars) return lineEnd;
  const isInsidePair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(maxChars - 1, maxChars + 1));
  return isInsidePair ? maxChars - 1 : maxChars;
}

function countLines(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; count++) {
    const end = text.indexOf("\n", start);
    start = end === -1 ? text.length : end + 1;
  }
  return count;
}
