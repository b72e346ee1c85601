import { markdownLines } from "../../skills/folder/markdown-lines.ts";

const usage =
  /\b(?:usage|use|using|how to|quick ?start|getting started|instructions)\b|用法|使用|使い方|사용/i;

/** What a document offers to someone who wants to use the skill. */
export function describeMarkdown(text: string): { hasUsage: boolean; hasExample: boolean } {
  const seen = { hasUsage: false, hasExample: false };
  let before = "";
  for (const { text: line, kind } of markdownLines(text)) {
    if (kind === "code" && line.trim() !== "") seen.hasExample = true;
    if (kind === "prose") {
      const heading = /^ {0,3}(?:=+|-+)\s*$/.test(line) ? before : /^ {0,3}#{1,6}\s(.*)$/.exec(line)?.[1];
      if (heading !== undefined && usage.test(heading)) seen.hasUsage = true;
    }
    before = line;
  }
  return seen;
}
