import { type CallKey, callKeys, holdsCall } from "./call-shape.ts";

/** What is left of a call in a text that is no JSON. */
export interface CallTraces {
  /** Whether both keys of a form stand in it. */
  hasKeys: boolean;
  /** Whether it names a tool that there is under the key of a name. */
  namesTool: boolean;
}

/** Looks for the keys of a call in whatever quotes somebody put them. Bare ones count in what begins as an object: elsewhere they are words, or code. */
export function callTraces(text: string, isKnown: (name: string) => boolean): CallTraces {
  const word = /name|arguments|action|input/g;
  const mayBeBare = text.startsWith("{");
  let keys = 0;
  let namesTool = false;
  for (let found = word.exec(text); found !== null; found = word.exec(text)) {
    const [key] = found;
    const valueAt = endOfKey(text, found.index, key.length, mayBeBare);
    if (valueAt === -1) continue;
    keys |= callKeys[key as CallKey];
    if (key === "name" || key === "action") namesTool ||= isKnown(wordAt(text, valueAt));
  }
  return { hasKeys: holdsCall(keys), namesTool };
}

const quotes = "\"'“”‘’";
const colons = ":：";

/** Just after the colon where a word is a key; -1 where it is none. */
function endOfKey(text: string, at: number, length: number, mayBeBare: boolean): number {
  const isQuoted = quotes.includes(text[at - 1] ?? " ");
  if (!isQuoted && !(mayBeBare && isAfterMark(text, at))) return -1;
  let end = at + length;
  if (isQuoted) {
    while (text[end] === "\\") end++; // somebody escaped the whole call
    if (!quotes.includes(text[end] ?? " ")) return -1;
    end++;
  }
  while (/\s/.test(text[end] ?? "")) end++;
  return colons.includes(text[end] ?? " ") ? end + 1 : -1;
}

/** Whether a brace or a comma stands before, with nothing but space between. */
function isAfterMark(text: string, start: number): boolean {
  let at = start - 1;
  while (/\s/.test(text[at] ?? "")) at--;
  return text[at] === "{" || text[at] === ",";
}

const value = /\s{0,100}\\?["'“”‘’]([A-Za-z_][A-Za-z0-9_]{0,63})\\?["'“”‘’]/y;

function wordAt(text: string, at: number): string {
  value.lastIndex = at;
  return value.exec(text)?.[1] ?? "";
}

/** Whether a brace or a string is left open at the end. Quotes outside of braces are prose. */
export function isLeftOpen(text: string): boolean {
  let depth = 0;
  let string = "";
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "\\") at++;
    else if (string !== "") string = char === string ? "" : string;
    else if (char === "{") depth++;
    else if (char === "}") depth = Math.max(0, depth - 1);
    else if (depth > 0 && (char === '"' || (char === "'" && "{[,:".includes(before)))) string = char;
    if (char > " ") before = char;
  }
  return depth > 0 || string !== "";
}
