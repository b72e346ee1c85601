import { placeAt, type TextPlace } from "./located-yaml.ts";

/** Where a member of valid JSON text begins: its key in an object, itself in a list; null where there is none. */
export function placeInJson(text: string, steps: readonly PropertyKey[]): TextPlace | null {
  let at = skipSpace(text, 0);
  let begin = at;
  for (const step of steps) {
    const found = text[at] === "{" ? findKey(text, at, String(step)) : findItem(text, at, Number(step));
    if (found === null) return null;
    begin = found.begin;
    at = found.value;
  }
  return placeAt(text, begin);
}

interface Member {
  begin: number;
  value: number;
}

function findKey(text: string, open: number, key: string): Member | null {
  let at = skipSpace(text, open + 1);
  while (text[at] === '"') {
    const begin = at;
    const end = endOfValue(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(begin, end)) === key) return { begin, value };
    at = skipSpace(text, endOfValue(text, value));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return null;
}

function findItem(text: string, open: number, index: number): Member | null {
  if (text[open] !== "[") return null;
  let at = skipSpace(text, open + 1);
  for (let item = 0; at < text.length && text[at] !== "]"; item++) {
    if (item === index) return { begin: at, value: at };
    at = skipSpace(text, endOfValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return null;
}

const string = /"(?:[^"\\]|\\.)*"/sy;
const brackets = /["{}[\]]/g;

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") {
    const end = text.slice(start).search(/[,\]}\s]/);
    return end === -1 ? text.length : start + end;
  }
  let depth = 0;
  brackets.lastIndex = start;
  for (let found = brackets.exec(text); found !== null; found = brackets.exec(text)) {
    if (found[0] === '"') brackets.lastIndex = endOfString(text, found.index);
    else if (found[0] === "{" || found[0] === "[") depth++;
    else if (--depth === 0) return found.index + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  string.lastIndex = start;
  return start + (string.exec(text)?.[0].length ?? 1);
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (" \t\r\n".includes(text[end] ?? "x")) end++;
  return end;
}
