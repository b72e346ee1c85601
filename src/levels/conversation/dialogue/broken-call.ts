import type { CallRejection } from "../../../contract/conversation.ts";
import { type CallKey, callKeys, holdsCall, isCallAttempt } from "./call-shape.ts";
import { type FoundObjects, findObjects, type Span } from "./find-objects.ts";

interface BrokenCall {
  rejection: CallRejection;
  /** The first object in it that is shaped like a call. */
  call: Span | null;
}

/** What is wrong with a text that is no JSON and holds a call all the same; null where it holds none. */
export function brokenCall(text: string, isKnown: (name: string) => boolean): BrokenCall | null {
  const found = findObjects(text);
  const rejection = rejectionOf(text, found, isKnown);
  return rejection === null ? null : { rejection, call: found.calls[0] ?? null };
}

function rejectionOf(
  text: string,
  { objects, calls }: FoundObjects,
  isKnown: (name: string) => boolean,
): CallRejection | null {
  const rest = without(text, objects);
  const { hasKeys, namesTool } = callTraces(rest, isKnown);
  const isCall = calls.length > 0 || hasKeys;
  if (text.startsWith("TOOL_CALL") && (isCall || namesTool || isAttempt(text, objects[0], isKnown)))
    return "prefixed";
  if (isCall && isFenced(rest, calls)) return "fenced";
  if (calls.length > 1) return "multiple-calls";
  if (calls.length === 1) return "surrounding-text";
  // What begins as an object and names a tool was meant to be a call, also where it breaks off before its arguments.
  if (!hasKeys && !(text.startsWith("{") && (namesTool || isSwallowed(text, isKnown)))) return null;
  return isLeftOpen(rest) ? "truncated" : "not-json";
}

/** Whether a missing brace put the name into the arguments: `{"arguments":{"a":1,"name":"t"}`. */
function isSwallowed(text: string, isKnown: (name: string) => boolean): boolean {
  const { hasKeys, namesTool } = callTraces(text, isKnown);
  return hasKeys && namesTool;
}

/** The text with blanks in place of its objects: every character stands where it stood. */
function without(text: string, objects: readonly Span[]): string {
  let rest = "";
  let end = 0;
  for (const { from, to } of objects) {
    rest += `${text.slice(end, from)}${" ".repeat(to - from)}`;
    end = to;
  }
  return rest + text.slice(end);
}

function isAttempt(text: string, object: Span | undefined, isKnown: (name: string) => boolean): boolean {
  return object !== undefined && isCallAttempt(JSON.parse(text.slice(object.from, object.to)), isKnown);
}

/** Whether a call, or both keys of one, stand between the same two fences. */
function isFenced(rest: string, calls: readonly Span[]): boolean {
  let next = 0;
  for (const { from, to } of fences(rest)) {
    while ((calls[next]?.from ?? to) < from) next++;
    if ((calls[next]?.to ?? Number.POSITIVE_INFINITY) <= to) return true;
    if (callTraces(rest.slice(from, to), () => false).hasKeys) return true;
  }
  return false;
}

/** What stands between rows of three or more backticks or tildes; the last may be left open. */
function fences(text: string): Span[] {
  const spans: Span[] = [];
  const row = /`{3,}|~{3,}/g;
  for (let opened = row.exec(text); opened !== null; opened = row.exec(text)) {
    const from = row.lastIndex;
    let closed = row.exec(text);
    while (closed !== null && !closed[0].startsWith(opened[0])) closed = row.exec(text);
    spans.push({ from, to: closed?.index ?? text.length });
    if (closed === null) break;
  }
  return spans;
}

/** What is left of a call in a text that is no JSON. */
interface CallTraces {
  /** Whether both keys of a form stand in it. */
  hasKeys: boolean;
  /** Whether it names a tool that there is under the key of a name. */
  namesTool: boolean;
}

/** Looks for the keys of a call in whatever quotes somebody put them. Bare ones count in what begins as an object: elsewhere they are words, or code. */
function callTraces(text: string, isKnown: (name: string) => boolean): CallTraces {
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
function isLeftOpen(text: string): boolean {
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
