import { positionFinder, type TextPosition } from "./locations.ts";

/** Where a member of valid JSON text begins: its key in an object, itself in a list; null where there is none. */
export function positionInJson(text: string, steps: readonly PropertyKey[]): TextPosition | null {
  const found = findMember(text, steps);
  return found === null ? null : positionFinder(text)(found.begin);
}

/** Where each item of a list in valid JSON text begins, found in one pass; none where there is no list. */
export function itemPositionsInJson(text: string, steps: readonly PropertyKey[]): TextPosition[] {
  const list = findMember(text, steps)?.value ?? text.length;
  const find = positionFinder(text);
  return [...itemsOf(text, list)].map(find);
}

/** Where a member of valid JSON text is, by positions: where it begins (its key in an object), its value, and the end of that. */
export function memberInJson(
  text: string,
  steps: readonly PropertyKey[],
): { begin: number; value: number; end: number } | null {
  const found = findMember(text, steps);
  return found === null ? null : { ...found, end: endOfValue(text, found.value) };
}

function findMember(text: string, steps: readonly PropertyKey[]): Member | null {
  const start = skipSpace(text, 0);
  let member: Member = { begin: start, value: start };
  for (const step of steps) {
    const at = member.value;
    const found = text[at] === "{" ? findKey(text, at, String(step)) : findItem(text, at, Number(step));
    if (found === null) return null;
    member = found;
  }
  return member;
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
  let item = 0;
  for (const at of itemsOf(text, open)) if (item++ === index) return { begin: at, value: at };
  return null;
}

function* itemsOf(text: string, open: number): Generator<number> {
  if (text[open] !== "[") return;
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== "]") {
    yield at;
    at = skipSpace(text, endOfValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
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
