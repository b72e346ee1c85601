const usage =
  /\b(?:usage|use|using|how to|quick ?start|getting started|instructions)\b|用法|使用|使い方|사용/i;

/** What a document offers to someone who wants to use the skill. */
export function describeMarkdown(text: string): { hasUsage: boolean; hasExample: boolean } {
  const seen = { hasUsage: false, hasExample: false };
  let fence: string | null = null;
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      else if (line.trim() !== "") seen.hasExample = true;
    } else if (mark !== null) {
      fence = mark;
    } else {
      const heading = /^ {0,3}(?:=+|-+)\s*$/.test(line) ? before : /^ {0,3}#{1,6}\s(.*)$/.exec(line)?.[1];
      if (heading !== undefined && usage.test(heading)) seen.hasUsage = true;
    }
    before = line;
  }
  return seen;
}
