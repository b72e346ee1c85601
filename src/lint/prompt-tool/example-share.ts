import { markdownLines } from "../../skills/folder/markdown-lines.ts";

/** How much of a prompt is examples, from 0 to 1: code blocks, and whatever stands under a heading that says so. */
export function exampleShare(text: string): number {
  let all = 0;
  let examples = 0;
  /** The level of the heading under which examples stand. */
  let under: number | null = null;
  for (const { text: line, kind } of markdownLines(text.trimEnd())) {
    const level = kind === "prose" ? headingLevel(line) : null;
    if (level !== null && (under === null || level <= under)) under = saysExample.test(line) ? level : null;
    const size = [...line].length + 1;
    all += size;
    if (kind !== "prose" || under !== null) examples += size;
  }
  return all === 0 ? 0 : examples / all;
}

const saysExample = /\bexamples?\b|示例|例子|样例|范例/i;

/** Without marks for headings, as in plain text, a short line that ends in a colon heads what follows, below all others. */
const labelLevel = 7;
const longestLabel = 40;

function headingLevel(line: string): number | null {
  const marks = /^ {0,3}(#{1,6})(?=\s|$)/.exec(line)?.[1];
  if (marks !== undefined) return marks.length;
  const label = line.trim();
  return label.length <= longestLabel && /[:：][*_]{0,2}$/.test(label) ? labelLevel : null;
}
