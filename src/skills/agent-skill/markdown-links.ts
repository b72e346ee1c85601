import { type CodeSpan, codeSpans, markdownLines } from "../folder/markdown.ts";

/** What a Markdown text points to. */
export interface MarkdownLink {
  /** As it is written. */
  target: string;
  /** `link` for links, images and definitions; `mention` for the name of a file in backticks. */
  kind: "link" | "mention";
  /** From 1. */
  line: number;
  /** From 1, of the target. */
  column: number;
}

const longestTarget = 1000;
/** Longer lines are data, which nobody follows. */
const longestLine = 20_000;

/** What a Markdown text points to, outside of fenced code and comments. */
export function* markdownLinks(text: string): Generator<MarkdownLink> {
  let line = 0;
  let isComment = false;
  for (const { text: written, kind } of markdownLines(text)) {
    line++;
    if (kind !== "prose" || written.length > longestLine) continue;
    if (!isComment && !mayPoint.test(written)) continue; // most lines are plain words
    const spans = codeSpans(written);
    const prose = withoutComments(blanked(written, spans), isComment);
    for (const { target, at } of [...definitionIn(prose.text), ...linksIn(prose.text)])
      yield { kind: "link", target, line, column: at + 1 };
    for (const { target, at } of isComment || prose.isComment ? [] : mentionsIn(written, spans))
      yield { kind: "mention", target, line, column: at + 1 };
    isComment = prose.isComment;
  }
}

const mayPoint = /\]\(|\]:|<!--|`(?:\.\/)?(?:scripts|references|assets)\//;

interface Target {
  target: string;
  at: number;
}

/** `[text](target "title")`: the link text may begin on an earlier line, so only its end is searched for. */
function* linksIn(line: string): Generator<Target> {
  let from = 0;
  for (let at = line.indexOf("]("); at !== -1; at = line.indexOf("](", from)) {
    const start = at + 2 + (/^[ \t]{0,20}/.exec(line.slice(at + 2, at + 22))?.[0].length ?? 0);
    const end = endOfTarget(line, start);
    const target = line.slice(start, end).replace(/^<|>$/g, "");
    if (end < line.length && end - start <= longestTarget && target !== "") yield { target, at: start };
    from = Math.max(end, at + 2);
  }
}

/** `[label]: target "title"`; footnotes do not count. */
function* definitionIn(line: string): Generator<Target> {
  const label = /^ {0,3}\[[^\]^[][^\][]{0,200}\]:[ \t]{1,20}/.exec(line)?.[0];
  if (label === undefined) return;
  const end = /^(?:<[^<>]*>|\S+)/.exec(line.slice(label.length))?.[0].length ?? 0;
  if (!/^[ \t]*(?:$|["'(])/.test(line.slice(label.length + end))) return; // a sentence that begins with a bracket
  const target = line.slice(label.length, label.length + end).replace(/^<|>$/g, "");
  if (target !== "" && target.length <= longestTarget) yield { target, at: label.length };
}

/** Where the target that begins here ends: behind its angle bracket, at white space, or at the parenthesis that closes the link. */
function endOfTarget(line: string, start: number): number {
  const last = Math.min(line.length, start + longestTarget + 1);
  if (line[start] === "<") {
    const close = line.slice(start, last).indexOf(">");
    return close === -1 ? last : start + close + 1;
  }
  let depth = 0;
  for (let end = start; end < last; end++) {
    const char = line[end] ?? "";
    if (char === "(") depth++;
    if (char <= " " || (char === ")" && --depth < 0)) return end;
  }
  return last;
}

/** Files of the folders that the specification has names for; what is shown as an example need not exist. */
function* mentionsIn(line: string, spans: readonly CodeSpan[]): Generator<Target> {
  if (spans.length === 0 || example.test(line)) return;
  for (const { start, code } of spans) {
    const target = /^(?:\.\/)?(?:scripts|references|assets)\/[^\s`]{1,200}(?=\s|$)/.exec(code)?.[0];
    if (target === undefined || !/\.\w{1,10}$/.test(target) || stranger.test(target)) continue;
    if (notYetOurs.test(line.slice(Math.max(0, start - 40), start))) continue;
    yield { target, at: line.indexOf(target, start) };
  }
}

/** Names that nobody gives to a real file. */
const stranger = /\/(?:foo|bar|baz|example|your[-_]\w{1,40})\.\w{1,10}$/i;
/** What is to be made, or belongs to another skill. */
const notYetOurs = /(?:\b(?:creates?|generates?|writes?)|\w['’]s) $/i;
const example = /\b(?:examples?|e\.g|such as|like|would|could)\b/i;

/** The line with its code replaced by spaces, so that columns stay the same. */
function blanked(line: string, spans: readonly CodeSpan[]): string {
  let text = "";
  let from = 0;
  for (const { start, end } of spans) {
    text += line.slice(from, start) + " ".repeat(end - start);
    from = end;
  }
  return text + line.slice(from);
}

/** The line with HTML comments blanked out, and whether one continues on the next line. */
function withoutComments(line: string, isComment: boolean): { text: string; isComment: boolean } {
  if (!isComment && !line.includes("<!--")) return { text: line, isComment };
  let text = "";
  let from = 0;
  let inside = isComment;
  while (from < line.length) {
    const delimiter = inside ? "-->" : "<!--";
    const found = line.indexOf(delimiter, from);
    const end = found === -1 ? line.length : found + (inside ? delimiter.length : 0);
    text += inside ? " ".repeat(end - from) : line.slice(from, end);
    from = end;
    if (found !== -1) inside = !inside;
  }
  return { text, isComment: inside };
}
