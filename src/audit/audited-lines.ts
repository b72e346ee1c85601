import { languageName } from "./file-kind.ts";
import { isWarning } from "./polarity.ts";
import type { AuditedFile, AuditedLine } from "./rule.ts";

const longestLine = 4096;
/** So that text across a border is complete in one of the pieces. */
const overlap = 512;

/** The lines of a text with their context: in a fence, in a comment, below a warning. */
export function auditedLines(
  text: string,
  { kind, language }: Pick<AuditedFile, "kind" | "language">,
): AuditedLine[] {
  const lines = text.split(/\r\n|\n|\r/);
  const placed = kind === "prose" ? proseLines(lines) : plainLines(lines, kind === "code", language);
  return [...placed].flatMap(pieces);
}

function* plainLines(
  lines: readonly string[],
  isCode: boolean,
  language: string | null,
): Generator<AuditedLine> {
  const comment = language === null ? null : (commentStarts[language] ?? null);
  let isWarnedOf = false;
  for (const [index, text] of lines.entries()) {
    const isComment = isCode && comment?.test(text) === true && !(index === 0 && text.startsWith("#!"));
    // A comment that warns is about itself and the line below it.
    const isWarnedHere = isComment && isWarning(text);
    yield { number: index + 1, text, isCode, isComment, language, isWarnedOf: isWarnedOf || isWarnedHere };
    isWarnedOf = isWarnedHere;
  }
}

const hash = /^\s*#/;
const slashes = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/;

const commentStarts: Record<string, RegExp> = {
  __proto__: null as never,
  python: hash,
  shell: hash,
  ruby: hash,
  perl: hash,
  r: hash,
  make: hash,
  dockerfile: hash,
  powershell: hash,
  elixir: hash,
  julia: hash,
  awk: hash,
  tcl: hash,
  javascript: slashes,
  typescript: slashes,
  go: slashes,
  rust: slashes,
  java: slashes,
  kotlin: slashes,
  swift: slashes,
  c: slashes,
  csharp: slashes,
  scala: slashes,
  gradle: slashes,
  php: /^\s*(?:#|\/\/|\/\*|\*(?:\s|\/|$))/,
  lua: /^\s*--/,
  applescript: /^\s*(?:--|#)/,
  vbscript: /^\s*'/,
  batch: /^\s*(?:::|@?rem\b)/i,
  clojure: /^\s*;/,
};

/** Which lines of Markdown are sentences, which commands; and which are only warned of. */
function* proseLines(lines: readonly string[]): Generator<AuditedLine> {
  let fence: { marker: string; language: string | null; isWarnedOf: boolean; isWarnedNext: boolean } | null =
    null;
  let headingWarns = false;
  let before = "";
  for (const [index, text] of lines.entries()) {
    const number = index + 1;
    const marker = fenceMarker(text);
    if (fence !== null) {
      if (marker?.startsWith(fence.marker) && text.trim() === marker) {
        fence = null;
        before = "";
        yield { number, text, isCode: false, isComment: false, language: null, isWarnedOf: false };
        continue;
      }
      const isComment = /^\s*(?:#|\/\/)/.test(text);
      const isWarnedHere = isComment && isWarning(text);
      const isWarnedOf = fence.isWarnedOf || fence.isWarnedNext || isWarnedHere;
      fence.isWarnedNext = isWarnedHere || (isComment && fence.isWarnedNext);
      yield { number, text, isCode: true, isComment, language: fence.language, isWarnedOf };
      continue;
    }
    if (marker !== null) {
      const word = /[`~]{3}\s*\{?\.?([\w+-]{1,40})/.exec(text)?.[1] ?? "";
      fence = {
        marker,
        language: languageName(word),
        isWarnedOf: headingWarns || isWarning(before),
        isWarnedNext: false,
      };
      yield { number, text, isCode: false, isComment: false, language: null, isWarnedOf: false };
      continue;
    }
    if (/^ {0,3}#{1,6}\s/.test(text)) headingWarns = isWarning(text);
    yield {
      number,
      text,
      isCode: false,
      isComment: false,
      language: null,
      isWarnedOf: headingWarns || isWarning(text) || (isItem(text) && leadsIn(before)),
    };
    if (text.trim() !== "" && !(isItem(text) && leadsIn(before))) before = text;
  }
}

function fenceMarker(text: string): string | null {
  return /^\s{0,12}(?:(?:[-*+]|\d{1,3}[.)])\s{1,4})?(`{3,64}|~{3,64})/.exec(text)?.[1] ?? null;
}

function isItem(text: string): boolean {
  return /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(text);
}

/** A sentence such as "Never do any of these:", which the items below it belong to. */
function leadsIn(before: string): boolean {
  return /[:：]\**\s*$/.test(before) && isWarning(before);
}

function pieces(line: AuditedLine): AuditedLine[] {
  if (line.text.length <= longestLine) return [line];
  const list: AuditedLine[] = [];
  for (let start = 0; start + overlap < line.text.length; start += longestLine - overlap)
    list.push({ ...line, text: line.text.slice(start, start + longestLine) });
  return list;
}
